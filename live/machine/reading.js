// A reading (model/steps.js) as the drawings ask for it, and as a page carries it.
import {largest, range, softmax} from "../model/numbers.js";

// The layer and head in which the piece gives most weight to one that is neither beside
// it nor at an end of the text: {layer, head}.
export function tellingHead(reading) {
  const {n, layers, heads, piece} = reading;
  let best = {weight: -1, layer: 0, head: 0};
  for (const layer of range(layers))
    for (const head of range(heads)) {
      const weights = at({...reading, layer, head}).weights(piece);
      weights.forEach((weight, to) => {
        if (to === 0 || to === n - 1 || Math.abs(to - piece) < 2) return;
        if (weight > best.weight) best = {weight, layer, head};
      });
    }
  return {layer: best.layer, head: best.head};
}

// What a reading holds for its `layer`, `head` and `piece`.
export function at(reading) {
  const {tensors, n, width, size, layer, head, heads, piece} = reading;
  const ofHead = (name, place = piece) => {
    const start = (layer * n + place) * width + head * size;
    return tensors[name].subarray(start, start + size);
  };
  const scores = (place, of = head) => {
    const start = ((layer * heads + of) * n + place) * n;
    return tensors.scores.subarray(start, start + n);
  };
  const weights = (place, of = head) =>
    softmax(scores(place, of).map(score => score / Math.sqrt(size)));
  // The values of all pieces, each times its weight, and their sum.
  const gathered = place => {
    const share = weights(place);
    const parts = range(n).map(to => ofHead("value", to).map(v => v * share[to]));
    const sum = parts.reduce((a, b) => a.map((value, i) => value + b[i]));
    return {share, parts, sum};
  };
  const length = (name, place = piece, of = layer) => tensors[name][of * n + place];
  return {...reading, ofHead, scores, weights, gathered, length};
}

// The pieces that are drawn, in order: those that the piece looks at most, and itself.
export function shownOf(reading, most) {
  const {n, piece, weights} = reading;
  if (n <= most) return range(n);
  const looked = largest(weights(piece), most - 1);
  return [...new Set([...looked, piece])].sort((a, b) => a - b);
}

// A tensor as text: each number is one of so many steps of its block's largest, written
// in one or two of 93 letters that JSON leaves as they are.
const STEPS = {1: 16, 2: 4324};
const LETTERS = range(95)
  .map(i => String.fromCharCode(32 + i))
  .filter(letter => letter !== '"' && letter !== "\\");

export function packed(values, block, letters) {
  const most = STEPS[letters];
  const scales = [];
  let text = "";
  for (let start = 0; start < values.length; start += block) {
    const part = values.subarray(start, start + block);
    const scale = Number(
      part.reduce((a, b) => Math.max(a, Math.abs(b)), 1e-9).toPrecision(5)
    );
    scales.push(scale);
    for (const value of part) {
      let number = Math.min(2 * most, Math.round((value / scale) * most) + most);
      for (let i = 0; i < letters; i++) {
        text += LETTERS[number % LETTERS.length];
        number = Math.floor(number / LETTERS.length);
      }
    }
  }
  return {block, letters, scales, text};
}

export function unpacked({block, letters, scales, text}) {
  const most = STEPS[letters];
  const numbers = new Map(LETTERS.map((letter, number) => [letter, number]));
  return Float32Array.from({length: text.length / letters}, (_, i) => {
    let number = 0;
    for (let k = letters - 1; k >= 0; k--)
      number = number * LETTERS.length + numbers.get(text[i * letters + k]);
    return ((number - most) / most) * scales[Math.floor(i / block)];
  });
}

// Which tensors are only drawn, and so may be rough.
const ROUGH = ["query", "key", "value"];
const rounded = share => Number(share.toPrecision(3));

// A whole reading for the page, and back. Of the guesses before the last one stays.
export function toPage({tensors, adds, guesses, parting, ...plain}) {
  const {n, width, layers} = plain;
  const tensorOf = ([name, values]) => {
    if (ROUGH.includes(name)) return [name, packed(values, n * width, 1)];
    return [name, packed(values, name === "scores" ? n * n : n, 2)];
  };
  const few = rows =>
    rows.map((row, k) =>
      row.slice(0, k < layers ? 1 : 10).map(([piece, share]) => [piece, rounded(share)])
    );
  const each = (object, change) =>
    Object.fromEntries(Object.entries(object).map(([k, v]) => [k, change(v)]));
  return {
    ...plain,
    tensors: Object.fromEntries(Object.entries(tensors).map(tensorOf)),
    adds: each(adds, values => packed(values, values.length, 2)),
    guesses: each(guesses, few),
    parting: parting && {
      ...parting,
      apart: packed(parting.apart, parting.apart.length, 2),
      guesses: each(parting.guesses, ([piece, share]) => [piece, rounded(share)]),
    },
  };
}

export function fromPage({tensors, adds, parting, ...plain}) {
  const each = object =>
    Object.fromEntries(Object.entries(object).map(([k, v]) => [k, unpacked(v)]));
  return {
    ...plain,
    rough: true,
    tensors: each(tensors),
    adds: each(adds),
    parting: parting && {...parting, apart: unpacked(parting.apart)},
  };
}
