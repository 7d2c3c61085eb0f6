"""The commands that change a wiki, one file each. Nothing that only reads imports this."""
