"""Has the processes of a run share the compiling of the tests that no run here has compiled yet.

All collect the same files in the same order, and each would compile every file: pytest keeps what it
has compiled, but none waits for another.
"""

import tree
from _pytest.assertion import rewrite


def share(config, number, processes):
    """Compile the part of process ``number`` of so many, as pytest itself does when it imports."""
    state = config.stash.get(rewrite.assertstate_key, None)
    for path in sorted((tree.ROOT / "tests").rglob("test_*.py"))[number::processes]:
        kept = rewrite.get_cache_dir(path) / f"{path.stem}{rewrite.PYC_TAIL}"
        if state and not kept.exists() and rewrite.try_makedirs(kept.parent):
            source_hash, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(state, code, source_hash, kept)
