// The headline: the sentence with its guess in the hole, and the word that may change.
import {el} from "../components.js";
import {waiting} from "./caption.js";
import {shown} from "./paint.js";

// The places at which two texts differ, in words as they are typed; null where not one.
export function differing(one, two) {
  const [a, b] = [one, two].map(text => text.split(/\s+/));
  const places = a.flatMap((word, i) => (word === b[i] ? [] : [i]));
  return a.length === b.length && places.length === 1 ? places[0] : null;
}

const bare = word => word.replace(/[.,;:!?]+$/, "");
const mark = word => word.slice(bare(word).length);

// act: {swap, compare}. told: whether the guess may be said (the tour keeps it).
export function sentenceOf(m, act, told = true) {
  const {s, d, b, full, other} = m;
  const text = full.told.text;
  const second = other?.told.text ?? null;
  const differ = second === null ? null : differing(text, second);
  const typed = text.split(/\s+/);
  const parts = typed.flatMap((word, i) => {
    const space = i ? [" "] : [];
    if (bare(word) === "[MASK]") return [...space, hole(s, d, b, told), mark(word)];
    if (i !== differ) return [...space, word];
    const instead = second.split(/\s+/)[i];
    return [...space, change(s, bare(word), bare(instead), act.swap), mark(word)];
  });
  const line = el("p", {}, ...parts);
  if (second === null) return [line];
  const [one, two] =
    differ === null
      ? ["this", "the other"]
      : [typed, second.split(/\s+/)].map(all => bare(all[differ]));
  const words = s.waits ? waiting(m) : `Compare “${one}” with “${two}”`;
  return [line, switchOf(s, words, act.compare)];
}

function hole(s, d, b, told) {
  const guess = view => shown(view.guesses(d.L, d.hidden)?.[0][0] ?? "?");
  const known = told && d.hidden >= 0 && d.guesses(d.L, d.hidden);
  const words = !known ? "\u00a0" : s.cmp && b ? `${guess(d)} / ${guess(b)}` : guess(d);
  return el(
    "span",
    {class: "hole", title: "the hidden word, and what is guessed"},
    words
  );
}

function change(s, word, instead, swap) {
  if (s.cmp) return el("span", {class: "two"}, el("b", {}, word), el("s", {}, instead));
  const label = `${word}; say ${instead} instead`;
  const look = {type: "button", class: "swap", "aria-label": label, onclick: swap};
  return el("button", look, word, el("i", {"aria-hidden": "true"}, `⇄ ${instead}`));
}

function switchOf(s, words, compare) {
  const look = {
    type: "button",
    id: "compare",
    role: "switch",
    "aria-checked": String(s.cmp),
  };
  const knob = el("span", {class: "knob", "aria-hidden": "true"});
  return el("button", {...look, onclick: () => compare(!s.cmp)}, knob, ` ${words}`);
}
