"""One module a subcommand, each with ``arguments(parser)`` and ``run(args) -> exit code``."""
