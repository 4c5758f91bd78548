"""Pictures by matplotlib, which is imported at the first picture."""
