"""What was found, as text and as HTML."""
