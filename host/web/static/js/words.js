// The strings table: one file, every key in every language.

const LANGUAGES = ["en", "it"];
const KEPT = "plusthree.language";

const table = await (await fetch("/static/strings.json")).json();

/** The language of this page: what was chosen here, else what the browser asks for. */
export const language = chosen();

function chosen() {
  const kept = localStorage.getItem(KEPT);
  if (LANGUAGES.includes(kept)) return kept;
  return LANGUAGES.find((one) => navigator.language.toLowerCase().startsWith(one)) ?? LANGUAGES[0];
}

/** The text of a key in this language; `{name}` stands for a value. */
export function say(key, values = {}) {
  const texts = table[key];
  if (!texts) return key;
  return texts[LANGUAGES.indexOf(language)].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Whether the table has a key. */
export function known(key) {
  return key in table;
}

/** The other languages, and how to turn to one. */
export const others = LANGUAGES.filter((one) => one !== language);

export function turnTo(other) {
  localStorage.setItem(KEPT, other);
  location.reload();
}

document.documentElement.lang = language;
