"""Programs of others as players: they run beside us, and we talk to them in lines of text."""
