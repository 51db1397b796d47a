"""Texts in files to vectors in files, by as many processes as there are.

    python chapters/many-machines/embed_job TEXTS OUT
    torchrun --standalone --nproc-per-node 4 chapters/many-machines/embed_job TEXTS OUT

OUT/vectors holds a Parquet file a shard of the texts, OUT/bad the rows without a
vector and why, OUT/manifest.json what it was made with. A run that was stopped goes
on where it was when the same command is given again.
"""
