"""What keeps the project in order: locks, scripts, new chapters, system tools."""
