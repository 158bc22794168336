"""Case files' kinds beyond a table's story: each module has ``run(subject)`` (docs/cases.md)."""
