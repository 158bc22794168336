// How a search compares what was typed: any order of words, with and without accents and capitals.

const LETTERS = { ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", ß: "ss", æ: "ae", œ: "oe", ı: "i" };

/** A text without accents, capitals and apostrophes, of which keyboards have several. */
export function plain(text) {
  return text.normalize("NFKD").replace(/[\p{M}'’‘ʼ`´]/gu, "").toLowerCase().replace(/[łøđðþßæœı]/g, (letter) => LETTERS[letter]);
}

/** Whether every word that was typed stands in one of the texts, in any order. */
export function holds(texts, typed) {
  const all = texts.map(plain).join(" ");
  return plain(typed).split(/[\s,]+/).filter(Boolean).every((word) => all.includes(word));
}

/** Whether a player's number is what was typed: all of it, or how a long one begins. */
export function isNumber(number, typed) {
  return number === typed || (typed.length > 3 && String(number ?? "").startsWith(typed));
}
