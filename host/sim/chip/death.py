"""How a life of the chip ends: none of these is an error that a program could catch."""

# mcu_reset_reason_t, as far as we come to see them
POWER_ON, BROWNOUT, SOFTWARE, RESET_PIN, WATCHDOG = (
    "POWER_ON",
    "BROWNOUT",
    "SOFTWARE",
    "RESET_PIN",
    "WATCHDOG",
)
# safe_mode_t
NONE, USER = "NONE", "USER"
HARD_FAULT, NLR_JUMP_FAIL, SAFE_WATCHDOG = "HARD_FAULT", "NLR_JUMP_FAIL", "WATCHDOG"
SAFEMODE_PY_ERROR, NO_CIRCUITPY = "SAFEMODE_PY_ERROR", "NO_CIRCUITPY"


class Reset(BaseException):
    """The chip starts anew for ``reason``; with ``safe_mode`` it will come up in that one."""

    def __init__(self, reason: str, safe_mode: str = NONE):
        super().__init__(reason, safe_mode)
        self.reason, self.safe_mode = reason, safe_mode


def crash(safe_mode: str) -> Reset:
    """Return the Reset of ``reset_into_safe_mode`` (safe_mode.c)."""
    return Reset(SOFTWARE, safe_mode)
