"""The embedded course model: how it is trained, kept and scored.

python -m helpers.course_model train --corpus FOLDER --out data/course-model
python -m helpers.course_model evaluate --corpus FOLDER --out data/course-model
"""
