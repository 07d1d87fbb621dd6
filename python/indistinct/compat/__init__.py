"""Functions with the same names as in existing packages, computed by this library.
`docs/python.md` explains the differences.
"""
