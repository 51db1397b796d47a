"""The book as one PDF, and as Markdown for programs that read."""
