// The whole machine in one drawing: the pieces, the embeddings, the layers with their
// heads, the head for words, the guesses; and the path of the chosen piece through all.
import {svg} from "../components.js";
import {filled, STEPS as LOOK} from "../looks.js";
import {range} from "../model/numbers.js";
import {
  BOLD,
  END,
  frame,
  hued,
  HUES,
  INK,
  MIDDLE,
  rounded,
  short,
  text,
} from "./draw.js";
import {at} from "./reading.js";

const [WIDTH, HEIGHT, TOP, BOTTOM] = [720, 176, 34, 150];
const LEFT = {names: 74, tables: 82, layers: 118, head: 574, guesses: 612};
const LETTER = 6.4; // a letter of the map is as wide
export const ALL = "all"; // layers
// Which part of the machine each step lights, of its layer or of all.
export const LIGHTS = {
  pieces: "pieces",
  inputs: "tables",
  projections: "head",
  products: "head",
  scores: "head",
  weights: "head",
  mixed: "head",
  heads: "attention",
  adds: ALL,
  between: "norm",
  wide: "wide",
  narrow: "wide",
  layers: ALL,
  guesses: "guess",
  parting: ALL,
};

const layerLeft = (r, layer) =>
  LEFT.layers + ((LEFT.head - 8 - LEFT.layers) / r.layers) * layer;

// Where the token of the path stands at a step.
export function tokenAt(step, r) {
  const [start, end] = [layerLeft(r, r.layer), layerLeft(r, r.layer + 1)];
  const inside = share => rounded(start + share * (end - start));
  const places = {
    pieces: LEFT.names + 4,
    tables: LEFT.tables + 14,
    head: inside(0.02),
    attention: inside(0.2),
    norm: inside(0.5),
    wide: inside(0.75),
    guess: LEFT.head + 14,
    [ALL]: LEFT.head - 6,
  };
  return places[LIGHTS[step]];
}

export const caption = r => {
  const rows = r.guesses[r.piece];
  const [guess, share] = rows.at(-1)[0];
  return filled(LOOK.say.map, {
    piece: r.tokens[r.piece],
    layers: r.layers,
    guesses: rows
      .slice(1)
      .map(([[piece]]) => piece)
      .join(", "),
    guess,
    share: `${(100 * share).toFixed(1)} %`,
  });
};

// A part that opens its step: a frame, filled where it is lit.
export function part(step, [x, y, width, height], lit, more = {}, ...parts) {
  const look = {"data-step": step, class: lit ? "part lit" : "part", ...more};
  const box = frame(x, y, width, height, {rx: 3, "stroke-opacity": lit ? 1 : 0.45});
  return svg("g", look, box, ...parts, svg("title", {}, LOOK.steps[step]));
}

export function map(reading, step) {
  const r = at(reading);
  const lane = (BOTTOM - TOP) / r.n;
  const y = place => TOP + (place + 0.5) * lane;
  const lit = LIGHTS[step];
  const token = svg("circle", {cx: tokenAt(step, r), cy: rounded(y(r.piece)), r: 5});
  const drawing = svg(
    "svg",
    {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "machine-wide", ...looks(r)},
    ...lanes(r, y),
    names(r, y, lane, lit),
    tables(lit),
    ...range(r.layers).map(layer => layerOf(r, layer, lit)),
    ...guesses(r, lit),
    hued("weights", {class: "hue-weights token"}, token)
  );
  return {drawing, token};
}

export const looks = r => ({
  role: "img",
  "aria-label": caption(r),
  "font-family": "sans-serif",
  "font-size": 11.5,
  fill: INK,
});

// The residual paths of all pieces, the chosen one's heavy, and what it looks at: in the
// chosen layer by the chosen head, elsewhere by all heads on average.
function lanes(r, y) {
  const flat = place => `M${LEFT.names + 4} ${rounded(y(place))}H${LEFT.head}`;
  const others = range(r.n).map(flat).join("");
  const looked = range(r.layers).flatMap(layer => {
    const own = at({...r, layer});
    const heads = layer === r.layer ? [r.head] : range(r.heads);
    const weights = heads
      .map(head => own.weights(r.piece, head))
      .reduce((a, b) => a.map((value, i) => value + b[i]));
    const [x, end] = [layerLeft(r, layer), layerLeft(r, layer + 1)].map(rounded);
    const to = rounded(x + (end - x) * 0.46);
    return range(r.n).flatMap(place => {
      const weight = weights[place] / heads.length;
      if (place === r.piece || weight < 0.04) return [];
      const bend = rounded((x + to) / 2);
      const [from, own] = [y(place), y(r.piece)].map(rounded);
      const d = `M${x} ${from}C${bend} ${from} ${bend} ${own} ${to} ${own}`;
      const look = {d, fill: "none", "stroke-width": rounded(0.6 + 4 * weight)};
      return [
        svg("path", {...look, "stroke-opacity": Number((0.25 + weight).toFixed(2))}),
      ];
    });
  });
  return [
    svg("path", {d: others, stroke: INK, "stroke-opacity": 0.18}),
    hued("weights", {class: "hue-weights line", stroke: HUES.weights}, ...looked),
    svg("path", {d: flat(r.piece), stroke: INK, "stroke-width": 2.2}),
  ];
}

function names(r, y, lane, lit) {
  const every = Math.max(1, Math.ceil(11 / lane));
  const shown = range(r.n).filter(
    place =>
      place === r.piece || (place % every === 0 && Math.abs(place - r.piece) >= every)
  );
  const drawn = shown.map(place =>
    svg(
      "g",
      {"data-piece": place},
      text(LEFT.names - 2, y(place) + 4, short(r.tokens[place], 11), {
        ...END,
        ...(place === r.piece && BOLD),
      })
    )
  );
  const box = [0, TOP - 4, LEFT.names + 2, BOTTOM - TOP + 8];
  return part("pieces", box, lit === "pieces", {}, ...drawn);
}

function tables(lit) {
  const [height, step] = [BOTTOM - TOP + 8, (BOTTOM - TOP) / 3];
  const words = ["w", "s", "p"].map((letter, i) =>
    text(LEFT.tables + 14, TOP + (i + 0.5) * step + 4, letter, MIDDLE)
  );
  const box = [LEFT.tables, TOP - 4, 28, height];
  return part(
    "inputs",
    box,
    lit === "tables",
    {class: lit === "tables" ? "part lit tint" : "part tint"},
    ...words
  );
}

function layerOf(r, layer, lit) {
  const [x, end] = [layerLeft(r, layer), layerLeft(r, layer + 1)];
  const [width, high] = [end - x, BOTTOM - TOP + 8];
  const own = layer === r.layer;
  const on = name => lit === ALL || (own && lit === name);
  const heads = headsOf(
    r,
    layer,
    x + width * 0.06,
    width * 0.36,
    own && lit === "head"
  );
  const bar = share => [x + width * share, TOP - 4, width * 0.07, high];
  const [arc, back] = [x + width * 0.48, x + width * 0.92].map(rounded);
  const top = TOP - 10;
  // The residual goes around attention, and around the feed-forward part.
  const d =
    `M${rounded(x)} ${TOP}Q${rounded(x)} ${top} ${rounded(x + 8)} ${top}H${rounded(arc - 6)}` +
    `L${arc} ${TOP - 4}M${rounded(arc + 4)} ${TOP}Q${rounded(arc + 4)} ${top} ` +
    `${rounded(arc + 10)} ${top}H${rounded(back - 5)}L${back} ${TOP - 4}`;
  const guess = r.guesses[r.piece][layer + 1][0][0];
  const letters = Math.floor(width / LETTER);
  return svg(
    "g",
    {"data-layer": layer},
    text(x + width / 2, 14, String(layer), {...MIDDLE, ...(own && BOLD)}),
    svg("path", {
      d,
      stroke: INK,
      fill: "none",
      "stroke-opacity": on("norm") ? 1 : 0.45,
    }),
    part(
      "heads",
      [x + width * 0.04, TOP - 4, width * 0.4, high],
      on("attention"),
      {},
      ...heads
    ),
    part("between", bar(0.46), on("norm")),
    part("wide", [x + width * 0.58, TOP - 4, width * 0.28, high], on("wide")),
    part("narrow", bar(0.89), own && lit === "wide"),
    part(
      "layers",
      [x + width * 0.04, BOTTOM + 8, width * 0.92, 17],
      lit === ALL,
      {},
      text(x + width / 2, BOTTOM + 21, short(guess, letters), MIDDLE)
    )
  );
}

// The heads of a layer in two columns; the chosen one is filled.
function headsOf(r, layer, x, width, lit) {
  const rows = Math.ceil(r.heads / 2);
  const [wide, high] = [width / 2, (BOTTOM - TOP + 4) / rows];
  return range(r.heads).map(head => {
    const [left, top] = [x + (head % 2) * wide, TOP - 2 + Math.floor(head / 2) * high];
    const own = layer === r.layer && head === r.head;
    const box = frame(left + 1, top + 1, wide - 2, high - 2, {
      stroke: "none",
      fill: INK,
      "fill-opacity": own ? 0.9 : 0.16,
    });
    const look = {"data-head": head, "data-layer": layer, "data-step": "scores"};
    return svg("g", {...look, class: own && lit ? "head lit" : "head"}, box);
  });
}

function guesses(r, lit) {
  const rows = r.guesses[r.piece].at(-1).slice(0, 5);
  const most = rows[0][1];
  const drawn = rows.map(([piece, share], i) => {
    const y = TOP + i * 24 + 8;
    const bar = {
      x: LEFT.guesses,
      y: y + 3,
      width: rounded((100 * share) / most),
      height: 5,
    };
    return svg(
      "g",
      {},
      text(LEFT.guesses, y, short(piece, 10), i ? {} : BOLD),
      text(WIDTH - 2, y, `${(100 * share).toFixed(0)} %`, END),
      svg("rect", {...bar, "fill-opacity": 0.5})
    );
  });
  const [head, high] = [[LEFT.head, TOP - 4, 28, BOTTOM - TOP + 8], BOTTOM - TOP + 8];
  const turn = `translate(${LEFT.head + 18} ${(TOP + BOTTOM) / 2}) rotate(-90)`;
  const name = svg("text", {transform: turn, ...MIDDLE}, LOOK.wordHead);
  return [
    part(
      "guesses",
      head,
      lit === "guess",
      {class: lit === "guess" ? "part lit tint" : "part tint"},
      name
    ),
    part(
      "guesses",
      [LEFT.guesses - 6, TOP - 8, WIDTH - LEFT.guesses + 6, high + 6],
      lit === "guess",
      {},
      ...drawn
    ),
  ];
}
