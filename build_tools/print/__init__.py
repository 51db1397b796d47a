"""The book as one PDF and as an EPUB."""
