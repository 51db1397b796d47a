"""Grade a folder of submitted notebooks: `python -m teaching.grading FOLDER`.

A submission is code of a stranger, and so is all that it answers. Three kinds of
process keep it apart from the grades:

- the grader (`__main__`, `intake`, `turns`, `submission_grade`, `grades_table`) copies
  each notebook to an empty place, reads short rows of text and writes the table; it
  runs and reads nothing else of a submission;
- a judge (`judge_process`, `submitted_notebook`, `one_notebook`,
  `running_submission`), forked afresh for each submission from a server that has
  loaded the model (`judge_preload`), reads the notebook, asks the sandbox and runs the
  checks, within limits of time and memory;
- the sandbox (`sandbox`, `inside_sandbox`) runs the cells. It sees Python, the helpers,
  the data, the model and the copy, and neither checks nor solutions.
"""
