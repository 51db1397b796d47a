// What widgets look like: the marks, colours and words of an answer.

export const TOKENS = {
  table: "Pieces",
  rows: ["piece", "id", "segment", "position"],
};

export const MASKED = {hidden: "Hidden word"};

export const NEXT = {follows: "follows"};

export const ATTENTION = {
  // Of helpers.attention.patterns; the first is shown first.
  patterns: [
    "previous word",
    "next word",
    "same word",
    "same word, other sentence",
    "delimiter",
  ],
};

export const BOARD = {
  untouched: "Untouched",
  touched: "With your changes",
  grid: "Heads that are off, by layer and head",
  corner: "layer",
  label:
    "Click a head to switch it off, or a layer’s number for all of its heads; " +
    "arrow keys walk, the space bar switches.",
  all: "All on",
  table: "Each layer’s heads off",
  columns: ["off", "likeliest", "probability", "log-odds of “{piece}”"],
  layer: "layer {layer}",
};

// The colours of the senses come with their maps: they are those of the plots.
export const SENSES = {
  // Shapes as the plots of the chapters have them, 12 wide around 0.
  marks: [
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0",
    "M0 -6L6 5L-6 5Z",
    "M-5 -5H5V5H-5Z",
    "M0 -7L5 0L0 7L-5 0Z",
    "M0 6L6 -5L-6 -5Z",
  ],
  room: "-8 -8 16 16", // of a mark in the legend
  map: {width: 560, height: 300, margin: 20},
  // Around the reader's sentence.
  ring: {r: 11, fill: "none", stroke: "#1a1a1a", "stroke-width": 3},
  ringRoom: "-13 -13 26 26",
  here: "this sentence",
};

export const SEARCH = {
  meaning: "By meaning",
  words: "By words (the theme’s search)",
  none: "Nothing: this search wants every word of the question on one page.",
  missing: "The theme’s search is not loaded.",
  failed: "The theme’s search cannot answer this question.",
  page: "By words: 1 result.",
  pages: "results by words.",
};

export const MERGES = {
  rules: {count: "count", ratio: "ratio", likelihood: "likelihood"},
  merge: "merge",
  score: "score",
  table: "Merges",
  keys: "Steps; the arrow keys walk, Home and End jump",
};

export const LEARNING = {
  step: "Steps of training",
  sentence: "Sentence",
  when: "After {step} steps",
  link: "Link to this step",
  guesses: "Guesses for [MASK] (hidden: “{word}”)",
  maps:
    "Attention of all heads: a row looks, a column is looked at, dark is high; framed " +
    "is the row of [MASK].",
  head: "layer {layer}, head {head}",
  first: "0 steps",
  last: "{n}",
};

export const STEPS = {
  few: 8, // numbers of a strip where there are five strips
  some: 12, // where there are up to three
  many: 40, // boxes
  steps: {
    pieces: "Text to pieces",
    ids: "Pieces to ids",
    inputs: "Three embeddings, added and normalised",
    projections: "Query, key and value",
    products: "A query times a key",
    weights: "Scores, scaled, to weights",
    mixed: "Weighted values",
    heads: "Heads side by side",
    projected: "The output projection",
    between: "Residual and norm",
    wide: "Feed-forward: the wide layer",
    narrow: "Feed-forward: back, residual and norm",
    layers: "Layer after layer",
    transform: "The head’s transform",
    guesses: "The guess",
    parting: "Two sentences, one word apart",
  },
  inputs: ["word", "segment", "position", "sum", "sum, normalised"],
  projections: ["query", "key", "value"],
  products: ["query", "key", "product"],
  weights: ["score", "score, scaled", "weight"],
  mixed: ["all other pieces", "sum"],
  projected: ["heads, joined", "projected"],
  residual: ["before", "change", "sum", "sum, normalised"],
  wide: "unit",
  transform: ["last layer", "transformed"],
  say: {
    "more pieces": "{n} more pieces follow.",
    first: "The first {n} of {all} numbers.",
    products:
      "The key is that of “{to}”. Shown are the largest products; the other {n} " +
      "add up to {rest}, all of them to {sum}.",
    weights: "The other {n} pieces share a weight of {rest}.",
    "all weights": "The weights of all pieces add up to 1.",
    "of piece": "{share} × value of “{piece}”",
    head: "head {head}: {piece}",
    heads: "For each head of the layer, the piece with the largest weight.",
    wide: "{fire} of {n} units are above 0; shown are the largest.",
    layer: "layer {layer}",
    embedded: "embedded",
    parting:
      "Bars: how far the piece’s two vectors are apart, as a share of the first " +
      "one’s length. Guess: {one} ({share}) and {two} ({other}).",
    distance: "the same after layer {layer}, by piece",
    "no head": "This checkpoint has no head for masked words: it guesses nothing.",
    "no second": "Type a second sentence that differs in one word.",
    unequal:
      "The sentences have {a} and {b} pieces: only sentences with the same " +
      "number can be laid over each other.",
    numbers: "The numbers",
    full: "full colour",
    keys: "Steps; the arrow keys walk, Home and End jump",
    save: "Save this picture",
  },
  scale: ["#8c3f00", "#f7f7f7", "#134f8a"], // below, at and above 0
  ink: "#1a1a1a",
};

// A sentence with its {names} filled in.
export const filled = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
