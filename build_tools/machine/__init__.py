"""The machine: BERT in a window of its own, `machine.html` beside the book's pages.

`page` writes the page with what the live page's own model makes of the sentences, and
`places` puts its picture and the way to it into the book. The scripts lie in
`live/window`.
"""
