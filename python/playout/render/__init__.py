"""Boards as pictures, and results as text and as HTML."""
