// What an incident came to, in words: its kind with its numbers, as on paper.

import { SHAPES, seats } from "./look.js";
import { CATEGORIES, LEVELS, penaltyWords } from "./penalty.js";
import { lossReason } from "./reasons.js";
import { say } from "./words.js";

const OUTCOMES = [() => say("withdrawn"), () => say("wins", { seat: SHAPES.A }), () => say("wins", { seat: SHAPES.B }), () => say("tie")];

/** The words of a line of the incident log. */
export function happened({ what, numbers: [a, b, c] }) {
  const why = what === "game_loss" ? lossReason(b) : what === "penalty" ? penaltyWords(LEVELS[b], CATEGORIES[c]) : "";
  return say(`happened.${what}`, {
    minutes: Math.floor(b / 60),
    seats: seats(a & 3).map((seat) => SHAPES[seat]).join(" ") || "–",
    seat: a & 1 ? SHAPES.B : SHAPES.A,
    outcome: `${OUTCOMES[a & 15]?.() ?? "–"}${b || c ? ` (${b}–${c})` : ""}`,
    roll: say(a & 1 ? "roll.conclusive" : "roll.again"),
    a: b,
    b: c,
  }) + (why && ` (${why})`);
}
