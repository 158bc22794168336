"""Commands that only developers run: ``plusthree dev NAME``, built as those of people are."""
