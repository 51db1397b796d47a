"""For whoever teaches: class sets, grading, quizzes for platforms, slides, plans."""
