"""Our HMAC is the standard library's, for every key and text."""

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from firmware.core import digest


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_hmac_is_the_standard_librarys(key, data):
    assert digest.hmac(key, data) == hmac.digest(key, data, "sha256")
    assert digest.sha256(data) == hashlib.sha256(data).digest()


@given(st.binary(max_size=12), st.binary(max_size=12))
def test_same_is_equality(left, right):
    assert digest.same(left, right) is (left == right) and digest.same(left, left)
