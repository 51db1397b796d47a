"""The live page: the course model in the reader's browser.

`graph` writes the model as ONNX, `payload` puts what pages load beside it, `drawing`
lets the page's own scripts draw what stands there before anything is loaded, and `page`
writes both into it. The scripts themselves lie in the folder `live` of the project.
"""

EIGHT = "contextual-embeddings"  # the chapter that draws eight sentences
EIGHT_WORD = "field"  # with this word
