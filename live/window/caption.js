// What is said of each state, to those who see it and to those who listen.
import {el} from "../components.js";
import {percent, shown} from "./paint.js";
import {mostOf} from "./reading.js";

export const em = text => el("em", {}, shown(text));
export const quoted = piece => `“${shown(piece)}”`;
export const nameOf = (d, i) =>
  i === d.hidden ? "the hidden word" : quoted(d.tokens[i]);

// Nodes with commas between them.
const listed = nodes => nodes.flatMap((node, i) => (i ? [", ", node] : [node]));

// The words a row is read as on its way, each once where it stays; marks are left out.
export function pathOf(d, i) {
  const all = Array.from({length: d.L + 1}, (_, k) => d.guesses(k, i)[0][0]);
  const words = all.filter(piece => /[\p{L}\p{N}]/u.test(piece));
  const said = words.length ? words : all;
  return said.filter((word, k) => word !== said[k - 1]);
}

export function captionOf(m) {
  const {s, d} = m;
  const parts = s.cmp ? ofPair(m) : s.open < 0 ? ofWhole(m) : ofPart(m);
  if (s.waits) parts.push(el("span", {class: "visually-hidden"}, ` ${waiting(m)}`));
  if (d.kept)
    parts.push(` Drawn are ${d.n} of ${d.all} pieces: those that it looks at most.`);
  return parts;
}

// The words of two texts that differ first, in quotes.
export function twoOf({d, b}) {
  const at = d.tokens.findIndex((token, i) => token !== b.tokens[i]);
  return at < 0 ? ["the first", "the second"] : [d, b].map(x => quoted(x.tokens[at]));
}

// What becomes of a comparison while a part is open.
export const waiting = m => `${twoOf(m)[0]} alone; compared again when this is closed`;

const RIBBONS =
  "Ribbons: what a row takes from the others; grey where it rests on [CLS] or [SEP].";

function ofWhole({s, d}) {
  const name = nameOf(d, s.row);
  const last = d.guesses(d.L, s.row);
  if (!last) return [`Followed: ${name}. ${RIBBONS}`];
  const end = percent(last[0][1]);
  const path = pathOf(d, s.row);
  if (path.length === 1)
    return [
      `Followed: ${name}, read as `,
      em(path[0]),
      ` on its way, at the end with ${end}. ${RIBBONS}`,
    ];
  const few = path.length > 5 ? [...path.slice(0, 2), ...path.slice(-2)] : path;
  return [
    `Followed: ${name}, on its way read as `,
    ...listed(few.map(em)),
    `; at the end with ${end}. ${RIBBONS} Click a layer to open it.`,
  ];
}

function ofPair(m) {
  const {s, d, pair} = m;
  const place = d.kept ? d.kept[s.row] : s.row;
  const away = k => `${(100 * pair.apart[k][place]).toFixed(0)} %`;
  return [
    "Two runs in one drawing: a line turns blue as far as its numbers differ; a ribbon " +
      `has the colour of the text that looks more, orange for ${twoOf(m)[0]}. Followed: ` +
      `${nameOf(d, s.row)}, ${away(1)} of its length apart after layer 0, ` +
      `${away(d.L)} after layer ${d.L - 1}.`,
  ];
}

function ofPart(m) {
  const {s} = m;
  if (s.open === 0)
    return [
      "A word, a place and a segment (first or second text) are a row each of three " +
        "tables. They are added, number by number, and brought to one scale (the norm): layer 0 gets to see no more.",
    ];
  return s.inHead ? ofHead(m) : ofLayer(m);
}

function ofLayer({s, d}) {
  const l = s.open - 1;
  const long = name => d.length(name, l, s.row).toFixed(1);
  return [
    `Layer ${l}: to a line of length ${long("states")} the ${d.H} heads together add a ` +
      `vector of length ${long("found")}, the feed-forward part one of ` +
      `${long("narrow")} (a length: the root of the sum of all squares). ` +
      "Click a head to see how it chooses.",
  ];
}

function ofHead({s, d, narrow}) {
  const l = s.open - 1;
  const best = mostOf(d, l, s.head, s.row);
  const weight = percent(d.weight(l, s.head, s.row, best));
  const told = [
    `Head ${s.head} of layer ${l}: ${nameOf(d, s.row)} gives most of its weight, ${weight}, ` +
      `to ${quoted(d.tokens[best])}.`,
  ];
  const click = narrow ? [] : [" Click a column for its numbers, a key for its row’s."];
  const adds = d.adds(l, s.head, s.row);
  if (adds === null) return [...told, ...click];
  const guess = quoted(d.guesses(d.L, s.row)[0][0]);
  const moved =
    Math.abs(adds) < 0.005 ? "stay as they are" : adds > 0 ? "fall" : "rise";
  const by = moved === "stay as they are" ? "" : ` by ${Math.abs(adds).toFixed(2)}`;
  const without = ` Without this head the log-odds of ${guess}, log p/(1 − p), would ${moved}${by}.`;
  return [...told, without, ...click];
}

// What the final guesses are, for those who listen.
export function guessesSaid({s, d, pair}) {
  const both = s.cmp && pair?.both[d.kept ? d.kept[s.row] : s.row];
  const rows = both || d.guesses(d.L, s.row) || [];
  return rows.map(([piece, p, q]) =>
    both ? `${piece}: ${percent(p)} and ${percent(q)}` : `${piece}: ${percent(p)}`
  );
}
