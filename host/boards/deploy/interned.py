"""Short words made here, put into words that every CircuitPython has in its flash anyhow.

A name that a board does not know yet costs it some 9 bytes for ever, and the 301st another 1,952
for a larger table; the names of what is built in cost nothing. So what ``privates``, ``attributes``
and ``linking`` have called ``_a`` or ``Ka`` is laid as ``divmod`` or ``sqrt``, one word for one
word in the whole image, where nothing there means the function itself; so are some names of
libraries. A word that a board lacks costs it what ``_a`` did.
"""

import ast
import collections
import io
import re
import tokenize
from collections.abc import Collection, Mapping

from host.boards.deploy import edits

# short words; what ``crossing`` makes public; and names that a library alone knows, or we override
_MADE = re.compile(
    r"_[a-z]{1,2}|[A-Z][A-Za-z0-9]?|own_\w+|[xy]_[12]|_place_text|field_name"
    r"|bleio_(?:service|characteristics|uuid)|VendorUUID|ComplexCharacteristic|LabelBase"
)
_SHORT = re.compile(r"_?[a-z]{1,2}")  # what attributes are called before
_FIELDS = 8  # at least so many in a table of their names
# a Feather's build has them, the last ones with ulab; none is an attribute of an object
_WORDS = """
abs all any bin bool callable chr cos delattr dict dir divmod enumerate eval exec exp filter float
fmod globals hash help hex id input int isinstance issubclass iter len list locals map math max
memoryview min modf next object oct open ord pow print property range repr reversed round set
setattr sin slice sorted sqrt str sum super tan tuple type zip acos asin atan atan2 ceil degrees
fabs floor frexp frozenset getattr hasattr isfinite isinf isnan ldexp radians trunc bytearray bytes
classmethod complex copysign staticmethod EOFError IOBase KeyError NameError OSError TypeError
BytesIO StringIO ImportError IndexError LookupError SyntaxError SystemExit UnicodeError ValueError
MemoryError OrderedDict RuntimeError TimeoutError OverflowError StopIteration ArithmeticError
AssertionError AttributeError BaseException GeneratorExit IndentationError KeyboardInterrupt
NotImplementedError StopAsyncIteration ZeroDivisionError Ellipsis NotImplemented bound_method
builtins bytecode byteorder calcsize closure dict_view filename function generator iterable
iterator keepends little micropython module modules namedtuple NoneType pi maxsize version_info sep
default EACCES EADDRINUSE EAGAIN EALREADY EBADF ECONNABORTED ECONNREFUSED ECONNRESET EEXIST
EHOSTUNREACH EINPROGRESS EINVAL EIO EISDIR ENOBUFS ENODEV ENOENT ENOMEM ENOTCONN EOPNOTSUPP EPERM
ETIMEDOUT errorcode a2b_base64 b2a_base64 unhexlify chdir getcwd listdir mkdir nodename rmdir
statvfs sysname uname unlink utime getrandbits randint randrange uniform localtime mktime
struct_time tm_hour tm_isdst tm_mday tm_min tm_mon tm_sec tm_wday tm_yday tm_year BrokenPipeError
ConnectionError signed cosh erf erfc expm1 gamma log2 log10 sinh tanh acosh asinh atanh inf nan
""".split()


def plan(sources: Collection[str]) -> dict[str, str]:
    """Return ``{word made here: interned word}`` for an image's ``sources``, commonest first."""
    trees = [ast.parse(text) for text in sources]
    spelled = set().union(*(edits.spelled(tree, _fields(tree)) for tree in trees))
    met = spelled.union(*(edits.mentioned(tree) for tree in trees))
    counted = collections.Counter(
        token.string for text in sources for token in _names(text) if _MADE.fullmatch(token.string)
    )
    wanted = [word for word, _ in counted.most_common() if word not in spelled]
    return dict(zip(wanted, (word for word in _WORDS if word not in met)))


def standing_in(sources: Collection[str], names: Collection[str]) -> dict[str, str]:
    """Return ``{name: interned word}`` for ``names``, with words that ``sources`` do not mention.

    Not ``super``: what is called by that name is compiled otherwise.
    """
    met = {"super"}.union(*(edits.mentioned(ast.parse(text)) for text in sources))
    return dict(zip(names, (word for word in _WORDS if word not in met)))


def applied(source: str, words: Mapping[str, str]) -> str:
    """Return ``source`` with the words of a ``plan``; its lines stay where they are."""
    found = [
        (token.start[0], _column(token), token.string, words[token.string])
        for token in _names(source)
        if token.string in words
    ]
    found += [
        edits.text(node, words[edits.said(node)])
        for node in _fields(ast.parse(source))
        if edits.said(node) in words
    ]
    return edits.applied(source, found)


def _fields(tree):
    """Return the texts of tables of attributes (``edits.field_names``, renamed since)."""
    values = [node.value for node in tree.body if isinstance(node, ast.Assign)]
    tables = [value.elts for value in values if isinstance(value, ast.Tuple)]
    return [
        node
        for table in tables
        if sum(bool(_SHORT.fullmatch(str(getattr(one, "value", "")))) for one in table) >= _FIELDS
        for node in table
    ]


def _column(token):
    """Return the byte of its line that a token begins at."""
    return len(token.line.split("\n")[0][: token.start[1]].encode())


def _names(source):
    """Return the tokens that are names."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token for token in tokens if token.type == tokenize.NAME]
