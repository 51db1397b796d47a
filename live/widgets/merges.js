// Merges: a vocabulary is learned from the reader's text, by two rules side by side.
import {el, menu, scrolling, textBox} from "../components.js";
import {inLetters, joined, withJoined} from "../model/merges.js";

export function mount({controls, page, changed}) {
  const {look} = page;
  const text = textBox("Text to learn from", changed);
  const choices = page.fields.rule.map(rule => [rule, look.rules[rule]]);
  const rule = menu("Beside the count", choices, changed);
  controls.append(text.box, el("p", {class: "live-menus"}, rule.box));
  let at = 0; // how many merges are shown
  return {
    question: () => ["merges", text.input.value, rule.input.value],
    values: () => ({text: text.input.value, rule: rule.input.value}),
    fill(values) {
      text.input.value = values.text;
      rule.input.value = values.rule;
    },
    show: learned => ({
      parts: stepper(learned, look, at, step => (at = step)),
      words: summary(learned, look),
    }),
  };
}

// Buttons that walk through the merges, and what they show. moved: called with a step.
function stepper({words, rules}, look, start, moved) {
  const last = Math.max(...Object.values(rules).map(steps => steps.length));
  const panels = el("div", {class: "live-panels"});
  const said = el("p", {role: "status", class: "live-step"});
  const rows = table(rules, look);
  let at;
  const go = step => {
    moved((at = Math.min(Math.max(0, step), last)));
    said.textContent = told(rules, at, last, look);
    const shown = Object.entries(rules).map(([name, steps]) =>
      panel(words, steps.slice(0, at), at > steps.length, look.rules[name])
    );
    panels.replaceChildren(...shown);
    rows.mark(at);
  };
  const moves = {
    "To the start": ["Home", () => go(0)],
    Back: ["ArrowLeft", () => go(at - 1)],
    Forward: ["ArrowRight", () => go(at + 1)],
    "To the end": ["End", () => go(last)],
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
    "aria-label": look.keys,
    onkeydown,
  };
  go(start);
  return [el("div", group, ...buttons), said, panels, rows.box];
}

// What the rules join at a step, in a sentence.
export function told(rules, at, last, {rules: names}) {
  if (!at) return `Before the first of ${last} merges: single characters.`;
  const parts = Object.entries(rules).map(([name, steps]) => {
    const step = steps[at - 1];
    if (!step) return `${names[name]}: each word is one piece`;
    const [a, b] = step.pair;
    const score = FORMULAS[name](step);
    return `${names[name]}: ${a} and ${b} become ${joined(step.pair)} (score ${score})`;
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
    `${n} · ln(${n} · ${total} / (${first} · ${second})) = ${score.toFixed(2)}`,
};

// All merges of both rules: {box, mark}; mark shows which one is at hand.
function table(rules, look) {
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
  const heads = names.flatMap(name => [look.rules[name], look.score]);
  const columns = [look.merge, ...heads].map(text => el("th", {scope: "col"}, text));
  const head = el("thead", {}, el("tr", {}, ...columns));
  const body = el("table", {class: "live-pieces"}, head, el("tbody", {}, ...lines));
  const box = scrolling(look.table, body);
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

export function summary({words, rules}, {rules: names}) {
  const [one, other] = Object.keys(rules);
  const same = rules[one].findIndex(
    ({pair}, at) => pair.join(" ") !== rules[other][at]?.pair.join(" ")
  );
  const parted =
    same < 0
      ? "both rules join the same pairs"
      : `${names[one]} and ${names[other]} first differ at merge ${same + 1}`;
  return `${words.length} words; ${parted}.`;
}
