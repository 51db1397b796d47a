"""What keeps the project in order: scripts, new chapters, one page at a time."""
