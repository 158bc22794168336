// The pages' texts, in the language of this page, as the host has them.

import { here } from "./base.js";

const KEPT = "plusthree.language";
const PERIOD = 100;

/** What the address asks for, else what was chosen here, else what the browser asks for first; of what the host does not have, the next. */
const asked = [new URLSearchParams(location.search).get("language"), localStorage.getItem(KEPT), navigator.language].filter(Boolean).join(",");
const told = await (await fetch(here(`/texts?language=${encodeURIComponent(asked)}`))).json();

/** The language of this page. */
export const language = told.language;

/** The text of a key; `{name}` stands for a value, and `count` chooses among the forms of what is counted. */
export function say(key, values = {}) {
  const found = told.texts[key];
  if (found === undefined) return key;
  const text = typeof found === "string" ? found : form(found, values.count);
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

function form(forms, count) {
  const at = Number(told.plurals[count < 2 * PERIOD ? count : PERIOD + (count % PERIOD)]);
  return forms[at] ?? forms.at(-1);
}

/** Whether there is a text for a key. */
export function known(key) {
  return key in told.texts;
}

/** The other languages, what each is called in this one, and how to turn to one. */
export const others = told.languages.filter((one) => one !== language);

export function nameOf(other) {
  return new Intl.DisplayNames([language], { type: "language" }).of(other);
}

export function turnTo(other) {
  localStorage.setItem(KEPT, other);
  location.reload();
}

document.documentElement.lang = language;
