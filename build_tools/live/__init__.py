"""The live page: the course model in the reader's browser.

`graph` writes the model as ONNX, `payload` puts what pages load beside it, `answers`
computes what a page shows before anything is loaded, and `page` writes both into it.
The scripts themselves lie in the folder `live` of the project.
"""

EIGHT = "contextual-embeddings"  # the chapter that draws eight sentences
EIGHT_WORD = "field"  # with this word
