"""For whoever teaches: class sets, grading, quizzes for platforms, plans."""
