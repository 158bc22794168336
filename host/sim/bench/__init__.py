"""A bench without a board: the self-test's other half over virtual parts."""
