"""A bench for the self-test with a virtual board in place of a real one."""
