"""The course model: how it is trained, kept and scored.

    python -m experiments.course_model train SETTINGS.toml --corpus FOLDER --out OUT
    python -m experiments.course_model evaluate --corpus FOLDER --model OUT

`settings.toml` has those of the mended recipe. The shipped weights came of the earlier
one, whose settings are in `data/course-model/settings.json`.
"""
