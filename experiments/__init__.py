"""What ran once, or on the official files, and wrote to `data/`."""
