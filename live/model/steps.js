// The steps from a text to a guess: what each of them shows.
// A view is {boxes: [[text, below]], strips: [[name, values]], columns, bars:
// [[name, value]], words}, none of which but `words` need be there.
import {filled, STEPS as LOOK} from "../looks.js";
import {softmax, largest} from "./reader.js";

const {say} = LOOK;

const OF_ALL = ["words", "segments_added", "places_added", "attention", "states"];
const OF_A_LAYER = [
  ["query", "key", "value"],
  ["mixed", "projected", "between", "wide", "narrow"],
].flat();

const OF_THE_HEAD = ["layers", "transform", "guesses"];

// The names of the model's outputs that the views need.
export function outputsOf(layers) {
  const numbers = Array.from({length: layers}, (_, layer) => layer);
  const each = OF_A_LAYER.flatMap(name => numbers.map(layer => `${name}_${layer}`));
  return [...OF_ALL, ...each, "transformed", "logits"];
}

// All that the views of a text need. piece: its place, anything else for the hidden one.
export async function journey(reader, text, piece, layers) {
  const {tokens, ids, segments} = reader.tokens(text);
  const n = ids.length;
  const hidden = tokens.indexOf("[MASK]");
  const own = hidden < 0 ? n - 2 : hidden;
  const place = Number.isInteger(piece) && piece >= 0 && piece < n ? piece : own;
  // The head reads the piece after the embeddings and after each layer.
  const chosen = Array.from({length: layers + 1}, (_, at) => place + n * (layers - at));
  const found = await reader.run(outputsOf(layers), ids, segments, chosen);
  const size = found.logits?.dims[1];
  const guesses = chosen.map((_, row) => {
    if (!size) return []; // no head for masked words
    const shares = softmax(found.logits.data.subarray(row * size, (row + 1) * size));
    return largest(shares, 10).map(id => [
      reader.tokenizer.id_to_token(id),
      shares[id],
    ]);
  });
  const kept = Object.entries(found).filter(([name]) => name !== "logits");
  const tensors = Object.fromEntries(kept.map(([name, {data}]) => [name, data]));
  const [, heads] = found.attention.dims;
  const width = found.words.dims[1];
  tensors.transformed = tensors.transformed?.slice(-width);
  return {tokens, ids, piece: place, n, heads, width, guesses, tensors};
}

// The view of a step, for a journey with `layer` and `head`.
export function viewOf(step, journey) {
  if (OF_THE_HEAD.includes(step) && !journey.guesses.at(-1).length)
    return {words: say["no head"]};
  return VIEWS[step](reading(journey));
}

// The layer and head in which the piece gives most weight to one that is neither beside
// it nor at an end of the text: {layer, head}.
export function tellingHead({tensors: {attention}, n, heads, piece}) {
  let best = {weight: -1};
  attention.forEach((weight, place) => {
    const [row, to] = [Math.floor(place / n), place % n];
    if (row % n !== piece || weight <= best.weight) return;
    if (to === 0 || to === n - 1 || Math.abs(to - piece) < 2) return;
    const number = Math.floor(row / n);
    best = {weight, layer: Math.floor(number / heads), head: number % heads};
  });
  return best.weight < 0 ? {layer: 0, head: 0} : {layer: best.layer, head: best.head};
}

// The journey with its tensors' rows at hand.
function reading(j) {
  const {tensors, n, width, piece, layer, head, heads} = j;
  const size = width / heads;
  const row = (name, at = piece) => {
    const values = tensors[`${name}_${layer}`];
    const wide = values.length / n;
    return values.subarray(at * wide, (at + 1) * wide);
  };
  const ofHead = (name, at) => row(name, at).subarray(head * size, (head + 1) * size);
  const state = (number, at = piece) =>
    tensors.states.subarray((number * n + at) * width, (number * n + at + 1) * width);
  const weights = (of = head) => {
    const start = ((layer * heads + of) * n + piece) * n;
    return tensors.attention.subarray(start, start + n);
  };
  const embedded = name => tensors[name].subarray(piece * width, (piece + 1) * width);
  return {...j, size, row, ofHead, state, weights, embedded};
}

const numbers = n => Array.from({length: n}, (_, i) => i);
const plus = (a, b) => a.map((value, i) => value + b[i]);
const times = (a, b) => a.map((value, i) => value * b[i]);
const minus = (a, b) => a.map((value, i) => value - b[i]);
const sum = values => values.reduce((a, b) => a + b, 0);
const inOrder = places => [...places].sort((a, b) => a - b);
const pick = (values, places) => places.map(place => values[place]);
export const fixed = value => value.toFixed(3);

function boxes(j, below) {
  const left = j.n - LOOK.many;
  const words = left > 0 ? filled(say["more pieces"], {n: left}) : "";
  return {
    boxes: j.tokens.slice(0, LOOK.many).map((text, i) => [text, below[i]]),
    words,
  };
}

function strips(names, rows, n) {
  const all = rows[0].length;
  return {
    columns: numbers(Math.min(n, all)).map(String),
    strips: names.map((name, i) => [name, Array.from(rows[i].subarray(0, n))]),
    words: all > n ? filled(say.first, {n, all}) : "",
  };
}

function residual(before, change, after) {
  const rows = [before, change, plus(before, change), after];
  return strips(LOOK.residual, rows, LOOK.few);
}

const layerName = number =>
  number ? filled(say.layer, {layer: number - 1}) : say.embedded;
const percent = share => `${(100 * share).toFixed(1)} %`;

const VIEWS = {
  pieces(j) {
    const below = j.tokens.map(() => "");
    return boxes(j, below);
  },
  ids: j => boxes(j, j.ids.map(String)),
  inputs(j) {
    const parts = ["words", "segments_added", "places_added"].map(j.embedded);
    const rows = [...parts, parts.reduce(plus), j.state(0)];
    return strips(LOOK.inputs, rows, LOOK.few);
  },
  projections(j) {
    const rows = ["query", "key", "value"].map(name => j.ofHead(name));
    return strips(LOOK.projections, rows, LOOK.some);
  },
  products(j) {
    const [to] = largest(j.weights(), 1);
    const [query, key] = [j.ofHead("query"), j.ofHead("key", to)];
    const each = times(query, key);
    const shown = inOrder(largest(each.map(Math.abs), LOOK.some));
    const rows = [query, key, each].map(row => pick(row, shown));
    return {
      columns: shown.map(String),
      strips: LOOK.products.map((name, i) => [name, rows[i]]),
      words: filled(say.products, {
        to: j.tokens[to],
        n: each.length - shown.length,
        rest: fixed(sum(each) - sum(rows[2])),
        sum: fixed(sum(each)),
      }),
    };
  },
  weights(j) {
    const query = j.ofHead("query");
    const share = j.weights();
    const shown = inOrder(largest(share, LOOK.some));
    const scores = shown.map(at => sum(times(query, j.ofHead("key", at))));
    const scaled = scores.map(score => score / Math.sqrt(j.size));
    const rows = [scores, scaled, pick(share, shown)];
    const left = j.n - shown.length;
    const rest = fixed(1 - sum(rows[2]));
    return {
      columns: pick(j.tokens, shown),
      strips: LOOK.weights.map((name, i) => [name, rows[i]]),
      words: left ? filled(say.weights, {n: left, rest}) : say["all weights"],
    };
  },
  mixed(j) {
    const share = j.weights();
    const most = largest(share, 3);
    const parts = most.map(at => j.ofHead("value", at).map(v => v * share[at]));
    const total = j.ofHead("mixed");
    const names = most.map(at =>
      filled(say["of piece"], {share: fixed(share[at]), piece: j.tokens[at]})
    );
    const rows = [...parts, minus(total, parts.reduce(plus)), total];
    return strips([...names, ...LOOK.mixed], rows, LOOK.few);
  },
  heads(j) {
    const bars = numbers(j.heads).map(head => {
      const share = j.weights(head);
      const [to] = largest(share, 1);
      return [filled(say.head, {head, piece: j.tokens[to]}), share[to]];
    });
    return {bars, words: say.heads};
  },
  projected(j) {
    const rows = [j.row("mixed"), j.row("projected")];
    return strips(LOOK.projected, rows, LOOK.some);
  },
  between: j => residual(j.state(j.layer), j.row("projected"), j.row("between")),
  wide(j) {
    const row = j.row("wide");
    const most = largest(row, LOOK.some);
    const fire = row.filter(value => value > 0).length;
    return {
      columns: most.map(String),
      strips: [[LOOK.wide, pick(row, most)]],
      words: filled(say.wide, {fire, n: row.length}),
    };
  },
  narrow: j => residual(j.row("between"), j.row("narrow"), j.state(j.layer + 1)),
  layers(j) {
    const bars = j.guesses.map(([[piece, share]], number) => [
      `${layerName(number)}: ${piece}`,
      share,
    ]);
    return {bars, words: ""};
  },
  transform(j) {
    const rows = [j.state(j.guesses.length - 1), j.tensors.transformed];
    return strips(LOOK.transform, rows, LOOK.some);
  },
  guesses: j => ({bars: j.guesses.at(-1), words: ""}),
  parting(j) {
    if (!j.other) return {words: say["no second"]};
    const other = reading({...j.other, layer: j.layer, head: j.head});
    if (other.n !== j.n) return {words: filled(say.unequal, {a: j.n, b: other.n})};
    const apart = (number, at) => {
      const own = j.state(number, at);
      const change = minus(own, other.state(number, at));
      return Math.hypot(...change) / Math.hypot(...own);
    };
    const after = numbers(j.n).map(at => apart(j.layer + 1, at));
    const shown = inOrder(largest(after, LOOK.some));
    const [[one, share] = ["none", 0]] = j.guesses.at(-1);
    const [[two, otherShare] = ["none", 0]] = other.guesses.at(-1);
    return {
      bars: j.guesses.map((_, number) => [layerName(number), apart(number)]),
      columns: pick(j.tokens, shown),
      strips: [[filled(say.distance, {layer: j.layer}), pick(after, shown)]],
      words: filled(say.parting, {
        one,
        share: percent(share),
        two,
        other: percent(otherShare),
      }),
    };
  },
};
