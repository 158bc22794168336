// Where this desk is: nothing stands before its paths, or the word of one event where several are served.

/** What stands before the paths of this desk: "" or "/cup". */
export const BASE = new URL("../../..", import.meta.url).pathname.replace(/\/$/, "");

/** The address of a path of this desk, as `/judge`. */
export const here = (path) => `${BASE}${path}`;
