// Merges: a vocabulary is learned from the reader's text, by two rules side by side.
import {el, menu, scrolling, textBox} from "../components.js";
import {MERGES as LOOK} from "../looks.js";
import {inLetters, joined, withJoined} from "../model/merges.js";

export const fieldsOf = () => ({
  text: null,
  rule: Object.keys(LOOK.rules).filter(rule => rule !== "count"),
});

export function mount({controls, page, changed}) {
  const text = textBox("Text to learn from", changed);
  const choices = page.fields.rule.map(rule => [rule, LOOK.rules[rule]]);
  const rule = menu("Beside the count", choices, changed);
  let at = 0; // how many merges are shown
  let go = step => (at = step);
  const walk = steps(step => go(step(at)));
  controls.append(text.box, el("p", {class: "live-menus"}, rule.box), walk);
  return {
    question: () => ["merges", text.input.value, rule.input.value],
    values: () => ({text: text.input.value, rule: rule.input.value}),
    fill(values) {
      text.input.value = values.text;
      rule.input.value = values.rule;
    },
    show(learned) {
      const {parts, last, draw} = shown(learned);
      go = step => draw((at = Math.min(Math.max(0, step), last)));
      go(at);
      return {parts, words: summary(learned)};
    },
  };
}

// Buttons and keys that walk through the merges. go: takes what makes a step of a step.
function steps(go) {
  const moves = {
    "To the start": ["Home", () => go(() => 0)],
    Back: ["ArrowLeft", () => go(at => at - 1)],
    Forward: ["ArrowRight", () => go(at => at + 1)],
    "To the end": ["End", () => go(() => Infinity)],
  };
  const buttons = Object.entries(moves).map(([name, [, onclick]]) =>
    el("button", {type: "button", onclick}, name)
  );
  const onkeydown = event => {
    const move = Object.values(moves).find(([key]) => key === event.key);
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move[1]();
  };
  const group = {
    class: "live-steps",
    role: "group",
    "aria-label": LOOK.keys,
    onkeydown,
  };
  return el("div", group, ...buttons);
}

// What the merges make of the words: {parts, last, draw}; draw shows a step.
function shown({words, rules}) {
  const last = Math.max(...Object.values(rules).map(steps => steps.length));
  const panels = el("div", {class: "live-panels"});
  const said = el("p", {role: "status", class: "live-step"});
  const rows = table(rules);
  const draw = at => {
    said.textContent = told(rules, at, last);
    const each = Object.entries(rules).map(([name, steps]) =>
      panel(words, steps.slice(0, at), at > steps.length, LOOK.rules[name])
    );
    panels.replaceChildren(...each);
    rows.mark(at);
  };
  return {parts: [said, panels, rows.box], last, draw};
}

// What the rules join at a step, in a sentence.
export function told(rules, at, last) {
  if (!at) return `Before the first of ${last} merges: single characters.`;
  const parts = Object.entries(rules).map(([name, steps]) => {
    const step = steps[at - 1];
    if (!step) return `${LOOK.rules[name]}: each word is one piece`;
    const [a, b] = step.pair;
    const score = FORMULAS[name](step);
    return `${LOOK.rules[name]}: ${a} and ${b} become ${joined(step.pair)} (score ${score})`;
  });
  return `Merge ${at} of ${last}. ${parts.join("; ")}.`;
}

// The words of the text after some merges; what the last one joined is marked.
function panel(words, steps, done, name) {
  const pieces = new Map();
  for (const word of words)
    if (!pieces.has(word)) pieces.set(word, cutAfter(word, steps, done));
  const cuts = words.map(word => pieces.get(word));
  const total = cuts.reduce((sum, cut) => sum + cut.length, 0);
  const each = (total / words.length).toFixed(2);
  const title = `${name}: ${total} pieces for ${words.length} words, ${each} a word`;
  const shown = cuts.flatMap(cut => {
    const parts = cut.map(({piece, fresh}) =>
      el(fresh ? "mark" : "span", {dir: "auto"}, piece)
    );
    return [el("span", {class: "live-cut", dir: "auto"}, ...parts), " "];
  });
  const text = scrolling(`Pieces, ${name}`, ...shown);
  return el("div", {}, el("p", {class: "live-label"}, title), text);
}

// A word's pieces after some merges: [{piece, fresh}]; fresh is what the last one made.
export function cutAfter(word, steps, done = false) {
  const before = steps
    .slice(0, done ? undefined : -1)
    .reduce((cut, {pair}) => withJoined(cut, pair), inLetters(word));
  const plain = before.map(piece => ({piece, fresh: false}));
  if (done || !steps.length) return plain;
  const {pair} = steps.at(-1);
  const after = withJoined(before, pair);
  let place = 0;
  return after.map(piece => {
    const fresh = piece !== before[place];
    place += fresh ? 2 : 1;
    return {piece, fresh};
  });
}

// How a score comes about.
const FORMULAS = {
  count: ({n}) => `${n}`,
  ratio: ({n, first, second, score}) =>
    `${n} / (${first} · ${second}) = ${score.toPrecision(3)}`,
  likelihood: ({n, first, second, total, score}) =>
    `${n} of ${first} and ${second}, all ${total}: ${score.toFixed(2)}`,
};

// All merges of both rules: {box, mark}; mark shows which one is at hand.
function table(rules) {
  const names = Object.keys(rules);
  const length = Math.max(...names.map(name => rules[name].length));
  const lines = Array.from({length}, (_, at) => {
    const cells = names.flatMap(name => {
      const step = rules[name][at];
      return step ? [step.pair.join(" "), FORMULAS[name](step)] : ["", ""];
    });
    const shown = cells.map(text => el("td", {}, text));
    return el("tr", {}, el("th", {scope: "row"}, String(at + 1)), ...shown);
  });
  const heads = names.flatMap(name => [LOOK.rules[name], LOOK.score]);
  const columns = [LOOK.merge, ...heads].map(text => el("th", {scope: "col"}, text));
  const head = el("thead", {}, el("tr", {}, ...columns));
  const body = el("table", {class: "live-pieces"}, head, el("tbody", {}, ...lines));
  const box = scrolling(LOOK.table, body);
  box.classList.add("live-merges");
  return {
    box,
    mark(at) {
      box.querySelector("[aria-current]")?.removeAttribute("aria-current");
      const line = lines[at - 1];
      line?.setAttribute("aria-current", "step");
      const top = line ? line.offsetTop - box.clientHeight / 2 : 0;
      box.scrollTop = Math.max(0, top);
    },
  };
}

export function summary({words, rules}) {
  const [one, other] = Object.keys(rules);
  const same = rules[one].findIndex(
    ({pair}, at) => pair.join(" ") !== rules[other][at]?.pair.join(" ")
  );
  const parted =
    same < 0
      ? "both rules join the same pairs"
      : `${LOOK.rules[one]} and ${LOOK.rules[other]} first differ at merge ${same + 1}`;
  return `${words.length} words; ${parted}.`;
}
