"""The course model: what it read, how its weights are kept, and its scores.

    python -m experiments.course_model evaluate --corpus FOLDER --model OUT

corpus.tsv lists the files of its training: of each the revision, where it is known, and
the sha256 of its text. The program that trained it is not kept; data/course-model tells
what it did.
"""
