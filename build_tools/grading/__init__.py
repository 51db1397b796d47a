"""Grade a folder of submitted notebooks: `python -m build_tools.grading FOLDER`.

A submission is code of a stranger. It runs in a process of its own without network,
on a private copy of its folder, and only answers what the checks ask it
(`submission`); the checks themselves run outside, where it cannot reach them.
"""
