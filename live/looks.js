// What widgets look like: the marks, colours and words of an answer.

export const TOKENS = {
  table: "Pieces",
  rows: ["piece", "id", "segment", "position"],
};

export const MASKED = {hidden: "Hidden word"};

export const NEXT = {follows: "follows"};

export const ATTENTION = {
  // Of chapters.seeing_attention.patterns; the first is shown first.
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

export const ANSWERS = {lead: "lead", line: "threshold"};

export const BOOK = {
  cited: "Cited",
  declined: "Declined. What the search had found:",
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

// A sentence with its {names} filled in.
export const filled = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
