// Times as people read them. All are event time in ms.
// Of a running one, `data-zero` or `data-since`, the text is written anew by `shell.js`, four times a second.

/** M:SS, rounded up as on the boards, with a minus after the zero; empty for none. */
export function minutes(leftMs) {
  if (leftMs === null || leftMs === undefined) return "";
  const seconds = Math.ceil(leftMs / 1000);
  const size = Math.abs(seconds);
  return `${seconds < 0 ? "−" : ""}${Math.floor(size / 60)}:${String(size % 60).padStart(2, "0")}`;
}

/** What is left of a clock with a zero, which may stand still since `frozen`. */
export function left(zeroMs, frozenMs, nowMs) {
  if (zeroMs === null || zeroMs === undefined) return null;
  return zeroMs - (frozenMs ?? nowMs);
}

/** The time of day of an event time, by the PC's own clock. */
export function ofDay(ms, originUnixMs, seconds = false) {
  const shown = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...(seconds ? { second: "2-digit" } : {}) };
  return new Date(originUnixMs + ms).toLocaleTimeString(document.documentElement.lang, shown);
}
