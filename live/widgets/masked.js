// Hidden words: a click on a word hides it, the model says what could stand there.
import {bars, el, percent, textBox} from "../components.js";
import {MASKED as LOOK} from "../looks.js";
import {LETTERS} from "../model/reader.js";

const MASK = "[MASK]";
const UNITS = /\[MASK\]|[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;

export const fieldsOf = () => ({text: null});

// Where the words and marks of a text begin and end.
export function unitsOf(text) {
  return Array.from(text.matchAll(UNITS), ({0: unit, index}) => ({
    text: unit,
    start: index,
    end: index + unit.length,
  }));
}

// The text with the units whose numbers are in `hidden` replaced by [MASK].
export function withMasks(text, hidden) {
  let masked = "";
  let at = 0;
  unitsOf(text).forEach(({start, end}, number) => {
    if (!hidden.has(number)) return;
    masked += text.slice(at, start) + MASK;
    at = end;
  });
  return masked + text.slice(at);
}

export function mount({controls, changed}) {
  const hidden = new Set();
  const words = el("div", {
    class: "live-words",
    role: "group",
    "aria-label": "Hide words",
  });
  const text = textBox("Text", () => {
    showAll();
    changed();
  });

  function drawWords() {
    const typed = text.input.value;
    const units = typed.length > LETTERS ? [] : unitsOf(typed); // it is refused anyway
    const buttons = units.map((unit, number) => {
      if (unit.text === MASK) return el("span", {class: "live-mask"}, MASK);
      const button = el("button", {type: "button"}, unit.text);
      const tell = () => button.setAttribute("aria-pressed", hidden.has(number));
      button.addEventListener("click", () => {
        if (!hidden.delete(number)) hidden.add(number);
        tell();
        changed();
      });
      tell();
      return button;
    });
    words.replaceChildren(...buttons);
  }

  function showAll() {
    hidden.clear();
    drawWords();
  }

  controls.append(
    text.box,
    el("p", {class: "live-label"}, "Click words to hide them:"),
    words
  );
  const asked = () => withMasks(text.input.value, hidden);
  return {
    question: () => ["masked", asked()],
    values: () => ({text: asked()}),
    fill(values) {
      text.input.value = values.text;
      showAll();
    },
    show: answers => ({parts: lists(answers), words: summary(answers)}),
  };
}

function lists(answers) {
  return answers.map((answer, number) => {
    const rows = answer.map(({piece, share}) => ({name: piece, value: share}));
    if (answers.length === 1) return bars(rows);
    const title = el("p", {class: "live-label"}, `${LOOK.hidden} ${number + 1}`);
    return el("div", {}, title, bars(rows));
  });
}

export function summary(answers) {
  const best = answers.map(([{piece, share}]) => `${piece} (${percent(share)})`);
  return `Likeliest: ${best.join(", ")}.`;
}
