// The machine as a picture that stands still, drawn when the book is built.
import {guessesSaid, pathOf} from "./caption.js";
import {blend, firstLayout, wanted} from "./layout.js";
import {percent, shown, words} from "./paint.js";
import {viewOf} from "./reading.js";
import {drawWhole} from "./whole.js";

const NAMES =
  "module paper raised ink soft faint line hair stream query key value weights amber brand";
const C = Object.fromEntries(NAMES.split(" ").map(name => [name, `var(--${name})`]));
const F = {
  serif: "Georgia, serif",
  sans: "Helvetica, Arial, sans-serif",
  mono: "Menlo, monospace",
};
const [WIDTH, HEIGHT, TOP, FOOT] = [1000, 800, 148, 150]; // cut off above and below

// told: a reading. context: what draws an SVG. Returns {svg, words}.
export function stillOf(told, context) {
  const d = viewOf(told);
  const row = d.hidden >= 0 ? d.hidden : d.place;
  const s = {row, open: -1, head: null, inHead: false, cmp: false, p: 1};
  const v = {ctx: context, d, b: null, pair: null, s, F, W: WIDTH, H: HEIGHT};
  Object.assign(v, {C: {...C, amberInk: "var(--amber-ink)"}, L: firstLayout()});
  blend(v.L, {}, wanted(v), 1, d.n);
  drawWhole(v);
  names(v);
  guesses(v);
  const box = `0 ${TOP} ${WIDTH} ${HEIGHT - TOP - FOOT}`;
  const last = guessesSaid(v).slice(0, 3).join(", ");
  const said =
    `“${told.text}” runs through ${d.L} layers. Read off after each: ` +
    `${pathOf(d, row).join(", ")}. At the end: ${last}.`;
  return {svg: context.svg(box, said), words: said};
}

function names(v) {
  const {d, L, s} = v;
  const bold = {size: 13, weight: "bold", align: "center"};
  for (let k = 0; k <= d.L; k++)
    words(
      v,
      k ? `Layer ${k - 1}` : "Embeddings",
      L.x[k] + L.w[k] / 2,
      L.panelTop + 20,
      bold
    );
  words(v, "The guess", L.right + 38, L.panelTop + 20, {...bold, align: "left"});
  d.tokens.forEach((token, i) => {
    const special = token.startsWith("[");
    const color = i === s.row ? "amberInk" : special ? "faint" : "soft";
    const look = special ? {size: 12.5, font: "mono"} : {size: 20, font: "serif"};
    words(v, shown(token), L.left - 18, L.y(i), {...look, align: "right", color});
  });
}

function guesses(v) {
  const {d, L, s} = v;
  const y = L.panelBottom + 32;
  for (let k = 0; k <= d.L; k++) {
    const [[piece, share]] = d.guesses(k, s.row);
    const fresh = k > 0 && piece !== d.guesses(k - 1, s.row)[0][0];
    const look = {align: "center", color: fresh ? "ink" : "soft"};
    words(v, shown(piece), L.x[k] + L.w[k], y, {...look, size: 22, font: "serif"});
    words(v, percent(share), L.x[k] + L.w[k], y + 24, {
      ...look,
      size: 12.5,
      color: "faint",
    });
  }
}
