// What takes an act back for some seconds after it was done, and a touch that counts once.

import { say } from "./words.js";

export const UNDO_MS = 10_000;
const ONCE_MS = 1000;

/** By act, from what was asked: the act that takes it back, and its body. */
const BACK = {
  resolve: ({ table }) => ["put_back", { table }],
  extend: ({ table, minutes }) => ["extend", { table, minutes: -minutes, reason: say("undone") }],
  freeze: ({ table }) => ["resume", { table }],
  drop: ({ number }) => ["undrop", { number }],
  undrop: ({ number }) => ["drop", { number, sure: true, reason: say("undone") }],
};

/** What takes an act back, as `{act, body}`; null where a note has nothing to offer. */
export function undoOf(shell, name, body) {
  const [act, back] = BACK[name]?.(body) ?? [];
  return act && shell.may(act) ? { act, body: back } : null;
}

/** Lets the same act with the same words through once a second: a touch that bounces counts once. */
export class Once {
  #last = { key: null, at: -ONCE_MS };

  again(name, body, nowMs) {
    const key = JSON.stringify([name, body]);
    const again = key === this.#last.key && nowMs - this.#last.at < ONCE_MS;
    if (!again) this.#last = { key, at: nowMs };
    return again;
  }
}
