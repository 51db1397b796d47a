// A reading (model/steps.js) as the drawings ask for it: of a reader's own text, which
// comes whole, or of a sentence of the page, whose vectors come when they are wanted.
import {largest, range, softmax} from "../model/numbers.js";

const OF_LAYERS = ["query", "projected", "between", "wide", "narrow"];

let readings = 0;

// told: a reading, with `vectors` or without. Returns what the drawings call `d`.
export function viewOf(told) {
  const {n, layers, heads, width, size, units, tensors} = told;
  const weights = weightsOf(tensors.scores, n, size);
  const mean = averageOf(weights, layers, heads, n * n);
  const rows = new Map(); // place => its vectors
  const wide = name => (name === "wide" ? units : width);
  const d = {
    ...{told, text: told.text, tokens: told.tokens, ids: told.ids, n, L: layers},
    ...{H: heads, W: width, S: size, U: units, segments: told.segments},
    hidden: told.tokens.indexOf("[MASK]"),
    place: told.piece,
    key: String((readings += 1)), // of pictures that are kept
    special: i => /^\[(CLS|SEP)\]$/.test(told.tokens[i]),
    // After layer k - 1, or before any; null where the model was not asked.
    guesses: (k, i) => told.guesses[i]?.[k] ?? null,
    // By how much the head raises the log-odds of the last guess; null if not known.
    adds(l, h, i) {
      const value = told.adds?.[i]?.[l * heads + h] ?? NaN;
      return Number.isNaN(value) ? null : value;
    },
    // A length of a row's vectors, or how many of the wide ones are above 0.
    length: (name, l, i) => tensors[name][l * n + i],
    above: (l, i) => Math.round(tensors.fire[l * n + i]),
    // head: a number, or null for the average of all.
    weight: (l, head, i, j) =>
      head === null
        ? mean[(l * n + i) * n + j]
        : weights[((l * heads + head) * n + i) * n + j],
    score: (l, head, i, j) => tensors.scores[((l * heads + head) * n + i) * n + j],
    // Whether all that an open part shows of a row is there.
    ready: i => Boolean(told.vectors) || (rows.has(i) && Boolean(told.tensors.key)),
    give: (place, vectors) => rows.set(place, vectors),
    row: (name, l, i) => d.rows(i)[name].subarray(l * wide(name), (l + 1) * wide(name)),
    rows(i) {
      if (!rows.has(i)) rows.set(i, rowsOf(told, i));
      return rows.get(i);
    },
    // Of one head: the query, key or value of a row.
    part(name, l, i, head) {
      const [start, end] = [head * size, (head + 1) * size];
      if (name === "query") return d.row("query", l, i).subarray(start, end);
      const at = (l * n + i) * width;
      return tensors[name].subarray(at + start, at + end);
    },
    // What a head hands over: all values, each times its weight, added up.
    mixed(l, i, head) {
      const sum = new Float32Array(size);
      for (const j of range(n)) {
        const weight = d.weight(l, head, i, j);
        d.part("value", l, j, head).forEach((value, x) => (sum[x] += weight * value));
      }
      return sum;
    },
    sum(i) {
      const {words, segments_added, places_added} = d.rows(i);
      return words.map((value, x) => value + segments_added[x] + places_added[x]);
    },
  };
  return d;
}

// The rows of a reading that has all of them.
function rowsOf({n, layers, width, units, tensors, vectors}, i) {
  const gathered = (values, count, wide) => {
    const rows = new Float32Array(count * wide);
    for (const l of range(count))
      rows.set(values.subarray((l * n + i) * wide, (l * n + i + 1) * wide), l * wide);
    return rows;
  };
  const all = {...vectors, query: tensors.query};
  const rows = OF_LAYERS.map(name => [
    name,
    gathered(all[name], layers, name === "wide" ? units : width),
  ]);
  const states = gathered(vectors.states, layers + 1, width);
  const tables = ["words", "segments_added", "places_added"].map(name => [
    name,
    gathered(vectors[name], 1, width),
  ]);
  return Object.fromEntries([...rows, ...tables, ["states", states]]);
}

function weightsOf(scores, n, size) {
  const weights = new Float32Array(scores.length);
  const root = Math.sqrt(size);
  for (let at = 0; at < scores.length; at += n)
    weights.set(softmax(scores.subarray(at, at + n).map(score => score / root)), at);
  return weights;
}

function averageOf(weights, layers, heads, block) {
  const mean = new Float32Array(layers * block);
  weights.forEach((weight, at) => {
    const layer = Math.floor(at / (heads * block));
    mean[layer * block + (at % block)] += weight / heads;
  });
  return mean;
}

// The same reading with some of its pieces alone, for a drawing with less room.
export function fewer(d, kept) {
  const at = place => kept[place];
  const one =
    f =>
    (a, i, ...more) =>
      f(a, at(i), ...more);
  return {
    ...d,
    kept,
    key: `${d.key}:${kept}`,
    n: kept.length,
    tokens: kept.map(i => d.tokens[i]),
    ids: kept.map(i => d.ids[i]),
    segments: kept.map(i => d.segments[i]),
    hidden: kept.indexOf(d.hidden),
    place: Math.max(0, kept.indexOf(d.place)),
    all: d.n,
    special: i => d.special(at(i)),
    guesses: one(d.guesses),
    adds: (l, h, i) => d.adds(l, h, at(i)),
    length: (name, l, i) => d.length(name, l, at(i)),
    above: (l, i) => d.above(l, at(i)),
    weight: (l, h, i, j) => d.weight(l, h, at(i), at(j)),
    score: (l, h, i, j) => d.score(l, h, at(i), at(j)),
    ready: i => d.ready(at(i)),
    row: (name, l, i) => d.row(name, l, at(i)),
    rows: i => d.rows(at(i)),
    part: (name, l, i, h) => d.part(name, l, at(i), h),
    mixed: (l, i, h) => d.mixed(l, at(i), h),
    sum: i => d.sum(at(i)),
  };
}

// The places that are drawn of a long text: the ends, the followed one, and those to
// which it gives most weight.
export function keptOf(d, row, most) {
  if (d.n <= most) return range(d.n);
  const looked = range(d.n).map(j =>
    range(d.L).reduce((sum, l) => sum + d.weight(l, null, row, j), 0)
  );
  const chosen = new Set([0, d.n - 1, row, d.hidden >= 0 ? d.hidden : row]);
  for (const j of largest(looked, d.n)) if (chosen.size < most) chosen.add(j);
  return [...chosen].sort((a, b) => a - b);
}

// The place to which a head gives most weight.
export function mostOf(d, l, h, i) {
  return largest(
    range(d.n).map(j => d.weight(l, h, i, j)),
    1
  )[0];
}

// The head that shows most: of those that look at a word, not at an end of the text, the
// one without which the guess would lose most; {l, h}.
export function tellingHead(d, i) {
  let best = {worth: -Infinity, l: 0, h: 0};
  for (const l of range(d.L))
    for (const h of range(d.H)) {
      const to = mostOf(d, l, h, i);
      if (d.special(to) || to === i) continue;
      const worth = d.adds(l, h, i) ?? d.weight(l, h, i, to);
      if (worth > best.worth) best = {worth, l, h};
    }
  return best;
}

// How far two readings' vectors are apart after layer k - 1, as a share of the first's
// length: [k][place].
export function apartOf(one, other) {
  return range(one.L + 1).map(k =>
    range(one.n).map(i => {
      const [a, b] = [one, other].map(d => d.row("states", k, i));
      const away = Math.hypot(...a.map((value, x) => value - b[x]));
      return away / Math.hypot(...a);
    })
  );
}
