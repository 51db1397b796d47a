"""Turns chapters into notebooks for Colab, Kaggle and JupyterLab."""
