// The map on a phone: its parts in a row.
import {svg} from "../components.js";
import {range} from "../model/numbers.js";
import {BOLD, INK, MIDDLE, short, text} from "./draw.js";
import {ALL, LIGHTS, looks, part} from "./map.js";
import {at} from "./reading.js";

// The chosen layer stands for all that is in it.
export function rail(reading, step) {
  const r = at(reading);
  const lit = LIGHTS[step];
  const [width, gap] = [Math.min(28, 186 / r.layers - 4), 4];
  const parts = [];
  let x = 2;
  const add = (name, wide, words, on, more = {}) => {
    const label = text(x + wide / 2, 26, words, {...MIDDLE, ...(on && BOLD)});
    parts.push(part(name, [x, 6, wide, 32], on, more, label));
    x += wide + gap;
  };
  add("pieces", 26, "abc", lit === "pieces");
  add("inputs", 26, "+", lit === "tables");
  const inLayer = ["head", "attention", "norm", "wide"].includes(lit);
  for (const layer of range(r.layers)) {
    const on = lit === ALL || (inLayer && layer === r.layer);
    add("heads", width, String(layer), on, {"data-layer": layer});
  }
  add("guesses", 352 - x, short(r.guesses[r.piece].at(-1)[0][0], 11), lit === "guess");
  const path = svg("path", {d: "M2 42H354", stroke: INK, "stroke-width": 2});
  const size = {viewBox: "0 0 356 46", class: "machine-rail"};
  return svg("svg", {...size, ...looks(r), "font-size": 13}, path, ...parts);
}
