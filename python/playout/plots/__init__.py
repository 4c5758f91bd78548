"""Pictures by matplotlib, which is imported when something is drawn."""
