"""The course model: how its generations were trained, kept and scored.

    python -m experiments.course_model train GENERATION.toml --corpus FOLDER --out OUT
    python -m experiments.course_model evaluate --corpus FOLDER --out data/course-model

`generations/` holds a file of settings for each training that this recipe can repeat.
"""
