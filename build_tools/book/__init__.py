"""Turns chapters into the pages of the book: the steps of its Sphinx extension."""
