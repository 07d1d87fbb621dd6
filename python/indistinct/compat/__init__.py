"""Functions with the names of existing packages and the figures of this library. `docs/python.md`
explains the differences.
"""
