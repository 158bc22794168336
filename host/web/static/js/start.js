// The start page: how far each event is, asked for again while somebody looks. Who reads or is about to press
// is left where they are: lines that say the same stay.

const EVERY_MS = 10000;
const list = document.querySelector(".events");
const away = document.querySelector(".away");

function show(events) {
  const [old, now] = [[...list.children], [...events.children]];
  if (old.length !== now.length) return list.replaceChildren(...now);
  now.forEach((line, n) => { if (!line.isEqualNode(old[n])) old[n].replaceWith(line); });
}

function ask() {
  if (document.hidden) return;
  const answer = new XMLHttpRequest(); // it gives a document, where text would have to be trusted as markup
  answer.responseType = "document";
  answer.timeout = EVERY_MS;
  answer.onloadend = () => {
    const events = answer.status === 200 && answer.response?.querySelector(".events");
    away.hidden = Boolean(events);
    if (events) show(events);
  };
  answer.open("GET", location.href); // with its language
  answer.send();
}

setInterval(ask, EVERY_MS);
document.addEventListener("visibilitychange", ask);
