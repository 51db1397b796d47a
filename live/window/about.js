// The drawer beside the drawing: what a step is, the code that computes it, the section
// that teaches it, and all its numbers.
import {el} from "../components.js";
import {needsVectors, stepsOf, TABLES} from "./numbers.js";

const $ = query => document.querySelector(query);
// What the book tells of a step: its words and its code.
const toldOf = step => $(`#told [data-step="${step}"]`);

// What they are about stands on the right: the drawer comes from the left.
const RIGHT = ["scores", "weights", "mixed", "wide", "narrow", "layers", "guesses"];

const ROUNDED =
  "The weights of this page have 8 bits, those of the chapters 32: the last digits may differ.";

export function aboutOf(m) {
  const box = $("#about");
  const opener = $("#ask");
  let step = null; // null: closed
  let key = null; // of which row, where one was asked for
  let before = null; // what had the focus
  const menu = el("select", {
    id: "about-step",
    onchange: () => draw((step = menu.value)),
  });
  const label = el("label", {for: "about-step", class: "visually-hidden"}, "Step");
  const leave = el(
    "button",
    {type: "button", class: "round", "aria-label": "Close", onclick: close},
    "×"
  );
  const body = el("div", {
    class: "body scrolls",
    tabindex: 0,
    role: "group",
    "aria-label": "Code and numbers",
  });
  box.append(el("p", {class: "head"}, label, menu, leave), body);

  function open(wanted = null, of = null) {
    before = document.activeElement;
    step = wanted ?? stepsOf(m)[0];
    key = of;
    box.classList.toggle("left", RIGHT.includes(step)); // and stays on this side
    box.hidden = false;
    opener.setAttribute("aria-expanded", "true");
    draw();
    menu.focus({preventScroll: true});
  }

  function close() {
    step = null;
    box.hidden = true;
    opener.setAttribute("aria-expanded", "false");
    (before?.isConnected ? before : opener).focus({preventScroll: true});
  }

  function draw() {
    const steps = stepsOf(m);
    if (!steps.includes(step)) [step] = steps;
    const option = name =>
      el("option", {value: name}, toldOf(name)?.dataset.title ?? name);
    menu.replaceChildren(...steps.map(option));
    menu.value = step;
    const told = toldOf(step);
    const words = told ? [...told.cloneNode(true).childNodes] : [];
    body.replaceChildren(...words, ...tableOf(m, step, key));
    body.scrollTop = 0;
  }

  opener.addEventListener("click", () => (step === null ? open() : close()));
  return {open, close, say: () => step !== null && draw(), shown: () => step !== null};
}

function tableOf({s, d, pair}, step, key) {
  const l = Math.max(0, s.open - 1);
  const given = {d, pair, i: s.row, l, h: s.head ?? 0, key: key < d.n ? key : null};
  if (needsVectors(step) && !d.ready(s.row))
    return [el("p", {}, "The numbers are on their way …")];
  const table = TABLES[step](given);
  if (!table) return [el("p", {class: "none"}, "There are no numbers for this here.")];
  const [columns, rows] = table;
  const head = el("tr", {}, ...columns.map(name => el("th", {scope: "col"}, name)));
  const lines = rows.map(([name, ...cells]) =>
    el(
      "tr",
      {},
      el("th", {scope: "row"}, name),
      ...cells.map(text => el("td", {}, text))
    )
  );
  const body = el("table", {}, el("thead", {}, head), el("tbody", {}, ...lines));
  const look = {
    class: "scrolls numbers",
    tabindex: 0,
    role: "group",
    "aria-label": "Numbers",
  };
  const title =
    step === "products" && given.key !== null ? " of the key you chose" : "";
  return [
    el("h2", {}, `The numbers${title}`),
    el("div", look, body),
    el("p", {class: "none"}, ROUNDED),
  ];
}
