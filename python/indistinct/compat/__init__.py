"""The names that people already use, with the library's figures. `docs/python.md` says where they differ, and why."""
