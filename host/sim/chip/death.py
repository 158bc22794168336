"""Reset reasons, safe modes, and the Reset exception that no program on the board catches."""

# mcu_reset_reason_t, those that occur here
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
    """The chip resets for ``reason`` and boots into ``safe_mode`` unless that is NONE."""

    def __init__(self, reason: str, safe_mode: str = NONE):
        super().__init__(reason, safe_mode)
        self.reason, self.safe_mode = reason, safe_mode


def crash(safe_mode: str) -> Reset:
    """Return the Reset that ``reset_into_safe_mode`` causes (safe_mode.c)."""
    return Reset(SOFTWARE, safe_mode)
