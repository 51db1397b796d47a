"""The course model: how its generations are trained, kept and scored.

    python -m experiments.course_model train GENERATION.toml --corpus FOLDER --out OUT
    python -m experiments.course_model evaluate --corpus FOLDER --model OUT

`generations/` holds a file of settings for each training.
"""
