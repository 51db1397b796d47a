"""The embedded course model: how it is trained, kept and scored.

python -m experiments.course_model train --corpus FOLDER --out data/course-model
python -m experiments.course_model evaluate --corpus FOLDER --out data/course-model
"""
