// The door: players enter themselves on their own phones, for staff to accept.

import { here } from "./base.js";
import { el, fill, icon } from "./dom.js";
import { language, nameOf, others, say, turnTo } from "./words.js";

const TOKEN = location.pathname.split("/").at(-1);
const ASKED = { Accept: "application/json", "Accept-Language": language };
const page = { event: "", told: null, error: null, busy: false };

const field = (name, attributes) => el("label", {}, el("span", {}, say(`enter.${name}`)), el("input", { name, ...attributes }));

function asking() {
  return el("form", { "data-key": "form" }, field("name", { required: true, maxlength: 60, autocomplete: "name", autocapitalize: "words" }),
    field("number", { maxlength: 32, autocomplete: "off", inputmode: "text" }), el("p", { class: "quiet" }, say("enter.number.help")),
    page.error ? el("p", { class: "bad sentence", role: "alert" }, page.error) : null,
    el("button", { class: "button strong", type: "submit", disabled: page.busy }, say("enter.send")));
}

function answered() {
  return el("div", { class: "answered", role: "status", "data-key": "answered" }, icon("done"), el("p", { class: "sentence" }, page.told),
    el("button", { class: "button", type: "button", "data-act": "again" }, say("enter.again")));
}

function draw() {
  fill(document.body, el("main", { class: "page-enter" },
    el("header", {}, el("span", { class: "brand", "aria-hidden": "true" }, "+3"),
      el("div", { class: "tools" }, others.map((other) => el("button", { type: "button", class: "tool", "data-act": "turn", "data-to": other, lang: other, "aria-label": `${other.toUpperCase()}: ${say("turn", { language: nameOf(other) })}` }, other.toUpperCase())))),
    el("h1", {}, el("bdi", {}, page.event)), page.told ? answered() : [el("h2", {}, say("enter.title")), asking()]));
}

async function asked(path, options = {}) {
  try {
    const answer = await fetch(here(`${path}/${TOKEN}`), { ...options, headers: { ...ASKED, ...options.headers } });
    const told = await answer.json();
    return answer.ok ? told : { error: told.error };
  } catch {
    return { error: say("enter.not_reached") };
  }
}

async function send(form) {
  const given = new FormData(form);
  const body = JSON.stringify({ name: given.get("name"), number: given.get("number") });
  Object.assign(page, { busy: true, error: null });
  draw();
  const { told = null, error = null } = await asked("/api/enter", { method: "POST", body, headers: { "Content-Type": "application/json" } });
  Object.assign(page, { busy: false, told, error });
  draw();
}

const ACTS = {
  turn: ({ to }) => turnTo(to),
  again: () => { page.told = null; draw(); },
};

document.addEventListener("submit", (event) => { event.preventDefault(); send(event.target); });
document.addEventListener("click", ({ target }) => { const node = target.closest?.("[data-act]"); if (node) ACTS[node.dataset.act]?.(node.dataset); });
document.title = `${say("enter.title")} · PlusThree`;
const { event = "", error = null } = await asked("/api/door");
Object.assign(page, { event, error });
draw();
