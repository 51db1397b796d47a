// The columns of the drawing that lead to their numbers.
import {range} from "../model/numbers.js";
import {quoted} from "./caption.js";
import {columnsOf} from "./head.js";
import {frameOf, tile} from "./inside.js";

// [{step, told, box, key}]: what is asked for, in words, where, and of which row's key.
export function asksOf(m) {
  const {s, L} = m;
  if (s.open < 0 || (s.open > 0 && L.h > 0 && L.h < 1)) return [];
  if (s.open === 0) return ofEmbeddings(m);
  return s.inHead ? ofHead(m) : ofLayer(m);
}

function ofEmbeddings({L}) {
  const R = frameOf(L, 0);
  const x = R.x + (R.w - Math.min(384, R.w - 210)) / 2 + 60;
  const box = [x - 190, R.y + R.h * 0.14, R.w - (x - 190 - R.x) - 20, R.h * 0.8];
  return [{step: "inputs", told: "Numbers of the three rows", box}];
}

// A column from its heading down; of the keys each row, for its product with the query.
function ofHead({s, d, L}) {
  const R = frameOf(L, s.open);
  const X = columnsOf(R);
  const top = R.y + 44;
  const all = (step, told, x, w, foot = L.bottom + L.gap / 2) => ({
    ...{step, told: `Numbers of the ${told}`},
    box: [x, top, w, foot - top],
  });
  const keys = range(d.n).map(key => ({
    ...{step: "products", key, told: `Query times key of ${quoted(d.tokens[key])}`},
    box: [X.name - 4, L.y(key) - L.gap / 2, X.key + X.kw + 8 - X.name, L.gap],
  }));
  return [
    all("projections", "query", X.name + 6, X.kw + 72, R.y + 82),
    ...keys,
    all("scores", "scores", X.score, X.sw + 10),
    all("weights", "weights", X.weight - 6, X.ww + 57),
    all("mixed", "values", X.value - 4, X.vw + 8, R.y + R.h - 16),
  ];
}

function ofLayer({s, d, L}) {
  const R = frameOf(L, s.open);
  const x = tile(L, s.open, 0, d.H).sums;
  const y = R.y + 70;
  const h = Math.min(384, R.h - 132) + 50;
  return [
    {step: "between", told: "Numbers of the first sum", box: [x + 4, y, 146, h]},
    {step: "wide", told: "Numbers of the wide part", box: [x + 170, y, 88, h]},
    {step: "narrow", told: "Numbers of the second sum", box: [x + 276, y, 84, h]},
  ];
}

export function sayAsks(m, buttons, ask) {
  const all = asksOf(m);
  buttons.forEach((button, i) => {
    button.hidden = i >= all.length;
    if (button.hidden) return;
    button.setAttribute("aria-label", all[i].told);
    button.onclick = () => ask(all[i].step, all[i].key);
  });
}

export function putAsks(m, buttons) {
  const all = asksOf(m);
  buttons.forEach((button, i) => {
    button.hidden = i >= all.length;
    if (button.hidden) return;
    set(button, ...all[i].box);
    button.style.opacity = m.L.o[m.s.open];
  });
}

// Puts an element over the drawing.
export function set(element, x, y, w, h) {
  element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  if (w !== undefined) element.style.width = `${Math.max(0, w).toFixed(1)}px`;
  if (h !== undefined) element.style.height = `${h.toFixed(1)}px`;
}
