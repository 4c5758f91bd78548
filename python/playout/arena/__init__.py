"""Matches and tournaments: who plays, on which openings, what was played, and what it proves."""
