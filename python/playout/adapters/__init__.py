"""Bridges to the games and players of other libraries, each imported only when it is used."""
