// A text on its way through the model: what the machine (`window/`) draws of it.
//
// A reading is {text, tokens, ids, segments, piece, n, layers, heads, width, size, units,
// guesses, adds, tensors, vectors, shares}. tensors, layer by layer: `query`, `key`,
// `value` (n, width), `scores` (heads, n, n) before they are divided, `fire` (n), how many
// of the `units` are above 0, and lengths of vectors (n): `found` by attention, `between`,
// `narrow`, and `states`, of which there is one more. vectors, layer by layer: `projected`,
// `between`, `wide`, `narrow`, `states`; and `words`, `segments_added`, `places_added`.
// guesses: {place: [[[piece, share], …] after each layer]}. shares: {place: those of every
// piece of the vocabulary, at last}. adds: {place: (layers, heads)}.
import {largest, length, range, softmax} from "./numbers.js";

const OF_A_LAYER = ["query", "key", "value", "projected", "between", "wide", "narrow"];
const OF_ALL = ["words", "segments_added", "places_added", "attention", "states"];
export const TOP = 10;
const BOTH = 4; // of each of two texts that are laid over each other

// The names of the model's outputs that a reading needs.
export const outputsOf = layers => [
  ...OF_ALL,
  ...OF_A_LAYER.flatMap(name => range(layers).map(layer => `${name}_${layer}`)),
  "logits",
];

// Where a text without a hidden word is followed: a full stop is less worth it.
function lastWord(tokens) {
  const word = piece => !/^\[(CLS|SEP)\]$/.test(piece) && /[\p{L}\p{N}]/u.test(piece);
  const found = tokens.findLastIndex(word);
  return found < 0 ? tokens.length - 2 : found;
}

// piece: its place, anything else for the hidden one. all: whether the guesses are for
// every piece.
export async function reading(reader, text, piece, layers, all = false) {
  const {tokens, ids, segments} = reader.tokens(text);
  const n = ids.length;
  const hidden = tokens.indexOf("[MASK]");
  const own = hidden < 0 ? lastWord(tokens) : hidden;
  const place = Number.isInteger(piece) && piece >= 0 && piece < n ? piece : own;
  const places = all ? range(n) : [place];
  // The head reads a piece after the embeddings and after each layer.
  const chosen = places.flatMap(at =>
    range(layers + 1).map(k => at + n * (layers - k))
  );
  const found = await reader.run(outputsOf(layers), ids, segments, chosen);
  const [, heads] = found.attention.dims;
  const width = found.words.dims[1];
  const units = found.wide_0.dims[1];
  // A checkpoint without a head for words guesses nothing; bars share by the largest.
  const named = found.logits
    ? rowsOf(found.logits).map(row => guessesOf(reader, row))
    : chosen.map(() => [["?", 1e-9]]);
  const ofPlace = (at, i) => [
    at,
    named.slice(i * (layers + 1), (i + 1) * (layers + 1)),
  ];
  return {
    ...{text, tokens, ids, segments, piece: place, n, layers, heads, width, units},
    size: width / heads,
    guesses: Object.fromEntries(places.map(ofPlace)),
    adds: {},
    tensors: tensorsOf(found, {n, layers, heads, width}),
    vectors: vectorsOf(found, layers),
    shares: found.logits && lastShares(found.logits, places, layers + 1),
  };
}

// What stands in each row, layer by layer, as far as `tensors` does not hold it.
function vectorsOf(found, layers) {
  const joined = name =>
    Float32Array.from(
      range(layers).flatMap(layer => Array.from(found[`${name}_${layer}`].data))
    );
  const many = OF_A_LAYER.slice(3).map(name => [name, joined(name)]);
  const few = [...OF_ALL.slice(0, 3), "states"].map(name => [name, found[name].data]);
  return Object.fromEntries([...many, ...few]);
}

// {place: the share of every piece after the last layer}.
function lastShares(logits, places, rows) {
  const all = rowsOf(logits);
  return Object.fromEntries(
    places.map((place, i) => [place, softmax(all[(i + 1) * rows - 1])])
  );
}

const rowsOf = ({data, dims: [rows, size]}) =>
  range(rows).map(row => data.subarray(row * size, (row + 1) * size));

function guessesOf(reader, logits) {
  const shares = softmax(logits);
  return largest(shares, TOP).map(id => [reader.tokenizer.id_to_token(id), shares[id]]);
}

function tensorsOf(found, {n, layers, heads, width}) {
  const of = name => range(layers).flatMap(layer => rowsOf(found[`${name}_${layer}`]));
  const joined = rows => Float32Array.from(rows.flatMap(row => Array.from(row)));
  const lengths = rows => Float32Array.from(rows, length);
  const [query, key] = ["query", "key"].map(of);
  const [projected, between, wide, narrow] = OF_A_LAYER.slice(3).map(of);
  const states = rowsOf({data: found.states.data, dims: [(layers + 1) * n, width]});
  return {
    query: joined(query),
    key: joined(key),
    value: joined(of("value")),
    scores: scoresOf(query, key, {n, layers, heads, size: width / heads}),
    fire: Float32Array.from(wide, row => row.filter(value => value > 0).length),
    found: lengths(projected),
    between: lengths(between),
    narrow: lengths(narrow),
    states: lengths(states),
  };
}

function scoresOf(query, key, {n, layers, heads, size}) {
  const scores = new Float32Array(layers * heads * n * n);
  let at = 0;
  for (const layer of range(layers))
    for (const head of range(heads))
      for (const i of range(n))
        for (const j of range(n)) {
          const [q, k] = [query[layer * n + i], key[layer * n + j]];
          let sum = 0;
          for (let x = head * size; x < (head + 1) * size; x++) sum += q[x] * k[x];
          scores[at++] = sum;
        }
  return scores;
}

// By how much each head raises the log-odds of the last guess at some places: the run
// with the head off is taken from the run with all. {place: (layers, heads)}. only: of
// which layer; the numbers of others are NaN then.
export async function addsOf(reader, {ids, segments, layers, heads}, places, only) {
  const run = async off =>
    rowsOf(await reader.run("logits", ids, segments, places, {off}));
  const plain = await run([]);
  const best = plain.map(row => largest(row, 1)[0]);
  const adds = places.map(() => new Float32Array(layers * heads).fill(NaN));
  const of = only === undefined ? range(layers) : [only];
  for (const off of of.flatMap(layer => range(heads).map(head => layer * heads + head)))
    (await run([off])).forEach((row, i) => {
      adds[i][off] = logOdds(plain[i], best[i]) - logOdds(row, best[i]);
    });
  return Object.fromEntries(places.map((place, i) => [place, adds[i]]));
}

function logOdds(logits, id) {
  const highest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  let others = 0;
  logits.forEach((value, at) => (others += at === id ? 0 : Math.exp(value - highest)));
  return logits[id] - highest - Math.log(others);
}

// The likeliest pieces of two readings with their shares in both, for each place that
// both have: {place: [[piece, share, the other's share], …]}.
export function sharedGuesses(reader, one, other) {
  if (!one.shares || !other.shares) return {};
  const places = Object.keys(one.shares).filter(place => place in other.shares);
  const rows = place => {
    const [a, b] = [one.shares[place], other.shares[place]];
    const ids = [...new Set([...largest(a, BOTH), ...largest(b, BOTH)])];
    return ids.map(id => [reader.tokenizer.id_to_token(id), a[id], b[id]]);
  };
  return Object.fromEntries(places.map(place => [place, rows(place)]));
}
