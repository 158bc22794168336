// Figures as large as what holds them allows. A font's own boxes say little of where its ink is, so the ink is
// measured: each digit stands in the middle of a place of one width, and the drawing scales with its container.

import { svg } from "./dom.js";

const EM = 1000; // the drawing's own units
const WEIGHT = 800;
const GAP = 0.07 * EM; // between the ink of one place and the next
const DIGITS = "0123456789";
const brush = document.createElement("canvas").getContext("2d");

/** How far the ink of texts, each set about a middle, reaches: half its width, above and below the line. */
function reach(texts) {
  brush.font = `${WEIGHT} ${EM}px ${getComputedStyle(document.body).fontFamily}`;
  brush.textAlign = "center";
  const told = texts.map((text) => brush.measureText(text));
  const most = (...names) => Math.ceil(Math.max(...told.flatMap((one) => names.map((name) => one[name]))));
  return { half: most("actualBoundingBoxLeft", "actualBoundingBoxRight"), above: most("actualBoundingBoxAscent"), below: Math.max(0, most("actualBoundingBoxDescent")) };
}

/** What of a text a drawing depends on: another shape must be drawn anew, another digit only written. */
export const shapeOf = (text) => text.replace(/\d/g, "0");

/** A text of figures as a drawing; `told` are attributes of its text, `pad` is its ground beyond the ink, in ems. */
export function figures(text, told = {}, pad = 0.02) {
  const places = [...text].map((char) => (DIGITS.includes(char) ? reach([...DIGITS]) : reach([char])));
  let end = 0;
  const middles = places.map(({ half }) => (end += 2 * half + GAP) - half - GAP);
  return drawing(text, middles, end - GAP, places, told, pad);
}

/** A word as a drawing. */
export function word(text, pad = 0.02) {
  const place = reach([text]);
  return drawing(text, [place.half], 2 * place.half, [place], {}, pad);
}

function drawing(text, middles, wide, places, told, pad) {
  const above = Math.max(...places.map((one) => one.above)) + pad * EM;
  const high = above + Math.max(...places.map((one) => one.below)) + pad * EM;
  const box = { x: -pad * EM, y: -above, width: wide + 2 * pad * EM, height: high };
  return svg("svg", { class: "dial", viewBox: Object.values(box).join(" ") },
    svg("rect", { ...box, rx: 0.1 * EM }), svg("text", { ...told, x: middles.join(" "), y: 0, "text-anchor": "middle", "font-size": EM, "font-weight": WEIGHT }, text));
}
