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
  many: 40, // boxes of pieces
  pairs: 20, // pieces of a matrix
  few: 12, // of a small one
  gathered: 6, // values that are drawn
  steps: {
    pieces: "Text to pieces",
    inputs: "Three embeddings, added and normalised",
    projections: "Query, key and value",
    products: "A query meets a key",
    scores: "The score of each pair",
    weights: "Scores become weights",
    mixed: "Weights gather values",
    heads: "All heads of the layer",
    adds: "What each head adds to the guess",
    between: "Attention joins the sum",
    wide: "Feed-forward: the wide layer",
    narrow: "Feed-forward joins the sum",
    layers: "Layer after layer",
    guesses: "The guess",
    parting: "Two sentences, one word apart",
  },
  inputs: ["word", "segment", "position", "sum", "sum, normalised"],
  projections: ["query", "key", "value"],
  products: ["query", "key", "products"],
  residual: ["came in", "added", "sum", "sum, normalised"],
  sum: "sum",
  wordHead: "head for words",
  say: {
    pieces: "{n} pieces, each with its id. Followed is “{piece}”.",
    more: "{n} more follow.",
    inputs: "How long the vectors of “{piece}” are.",
    projections:
      "From the {width} numbers of “{piece}” this head makes {size} each. What is " +
      "below 0 has a dash across.",
    products:
      "The {n} products of the query of “{piece}” and the key of “{to}” add up to " +
      "the score, {score}.",
    score: "score {score}",
    scores:
      "A row asks, a column answers. “{piece}” and “{to}”, in the heavy frame, make " +
      "{score}; what is below 0 has a dash across.",
    weights:
      "Divided by {root}, then the softmax: each row adds up to 1. “{piece}” gives " +
      "most to “{to}”, {weight}.",
    mixed:
      "What “{piece}” receives from the {n} pieces of {all} to which it gives most, " +
      "and the sum over all.",
    head: "head {head}",
    heads:
      "A row looks, a column is looked at; framed is the row of “{piece}”. A click " +
      "on a map follows its head.",
    adds:
      "Log-odds of “{guess}” with all heads, less those without the one. Layer " +
      "{layer}, head {head}: {own}. Most by layer {bestLayer}, head {bestHead}: " +
      "{most}. A dash is below 0.",
    "no adds":
      "For a checkpoint of one’s own this is not computed: it takes a run for each head.",
    waiting: "The model runs once without each head …",
    between:
      "What attention adds to “{piece}” is {share} times as long as what came in and " +
      "turns it by {degrees}°. The norm makes its length {after}.",
    wide: "For “{piece}”, {fire} of {n} units are above 0 in this layer.",
    narrow:
      "What feed-forward adds to “{piece}” is {share} times as long as what came in " +
      "and turns it by {degrees}°. The norm makes its length {after}.",
    layers: "What the head would guess for “{piece}” after each layer.",
    guesses: "For “{piece}”, the ten likeliest; first is “{guess}”, {share}.",
    layer: "layer {layer}",
    embedded: "embedded",
    parting:
      "Beside “{text}”: how far the two vectors of each piece are apart, as a share of " +
      "the first one’s length. Guess here: {one} ({share}), there: {two} ({other}).",
    "no second": "Type a second sentence that differs in one word.",
    unequal:
      "The sentences have {a} and {b} pieces: only sentences with the same " +
      "number can be laid over each other.",
    pairs: "Shown are the {n} pieces that it looks at most.",
    numbers: "The numbers",
    full: "full colour {full}",
    step: "Step",
    save: "Save this picture",
    map:
      "The path of “{piece}” through {layers} layers. Below each, what the head would " +
      "guess there: {guesses}. The guess: {guess}, {share}.",
    sentence: "Sentence",
    own: "your own",
    back: "Back",
    next: "Next",
    rough:
      "In the five sentences of the page, queries, keys and values are rounded to one " +
      "part in 16 of the largest in their layer, scores to one in 4,324 of the largest " +
      "in their head. In a sentence of yours nothing is rounded.",
    loaded: "The machine shows this text.",
    missing: "The machine’s own script is not there; reload the page.",
  },
};

// A sentence with its {names} filled in.
export const filled = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
