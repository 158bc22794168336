"""Tests that are coroutine functions."""

import functools
import inspect
from inspect import Parameter


def run_by(run, *needs, scene=1, **terms):
    """Return a decorator of such tests, which ``run(test, *needs, **terms)`` calls with their scene:
    their first arguments, so many.

    pytest gives them the others; ``needs`` are names of fixtures.
    """

    def decorate(story):
        of_pytest = list(inspect.signature(story).parameters.values())[scene:]
        names = [one.name for one in of_pytest]

        @functools.wraps(story)
        def test(*placed, **given):
            given |= zip(names, placed)
            told = functools.partial(story, **{name: given[name] for name in names})
            run(told, *(given[need] for need in needs), **terms)

        more = [Parameter(need, Parameter.KEYWORD_ONLY) for need in needs if need not in names]
        test.__signature__ = inspect.Signature([*of_pytest, *more])
        return test

    return decorate
