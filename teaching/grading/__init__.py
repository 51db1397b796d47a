"""Grading of notebooks that students hand in: `make grade DIR=... OUT=grades.csv`.

Each runs from top to bottom in a sandbox, and what `check` said while it ran is its
grade. Solutions are public and the checks run beside the student's code, so the table
shows that answers pass and does not prove who wrote them.
"""
