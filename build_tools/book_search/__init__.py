"""The search of the book itself, by meaning beside the theme's own by words.

Once all pages are written, `paragraphs` reads them, `vectors` gives each paragraph a
vector of the course model, `index` packs what the page loads, `by_words` asks the
theme's search, and `search_page` writes it into the page that has the widget.
Layers and width were chosen once, on 2026-11-22, by the titles of the sections.
"""
