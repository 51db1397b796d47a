// What several steps are drawn and told with.
import {svg} from "../components.js";
import {filled, STEPS as LOOK} from "../looks.js";
import {largest, range} from "../model/numbers.js";
import {
  bars,
  BOLD,
  cells,
  END,
  fixed,
  hued,
  largestOf,
  matrix,
  short,
  text,
  triangle,
  upright,
  WIDE,
} from "./draw.js";
import {shownOf} from "./reading.js";

export const {say} = LOOK;
export const percent = share => `${(100 * share).toFixed(1)} %`;
export const signed = value => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

export const numbered = values => Array.from(values, fixed);
export const rowOf = (name, values) => [name, ...numbered(values)];
export const columnsOf = n => ["", ...range(n).map(String)];

export const nameOf = (r, place = r.piece) => r.tokens[place];
export const lookedAt = r => largest(r.weights(r.piece), 1)[0];

// A strip under its name.
export function strip(name, values, y, hue, more = {}) {
  return svg(
    "g",
    {},
    text(0, y + 14, name),
    text(WIDE, y + 14, filled(say.full, {full: fixed(largestOf(values))}), END),
    cells(values, {y: y + 20, height: 22, hue, ...more})
  );
}

export function barView(rows, words, hue, {chosen = -1, written} = {}) {
  const {part, end} = bars(rows, {y: 2, hue, chosen, written});
  const table = [[], rows.map(([name, value]) => [name, (written ?? fixed)(value)])];
  return {parts: [part], height: end, words, tables: [table]};
}

// A matrix of all pairs with names at its sides: rows look, columns are looked at.
export function pairsView(r, valuesOf, hue, words, to) {
  const shown = shownOf(r, LOOK.pairs);
  const rows = shown.map(i => {
    const values = valuesOf(i);
    return Float32Array.from(shown, j => values[j]);
  });
  const [x, y] = [92, 92];
  const size = Math.min(WIDE - x - 4, 30 * shown.length);
  const step = size / shown.length;
  const chosen = [shown.indexOf(r.piece), shown.indexOf(to)];
  const names = shown.flatMap((place, i) => {
    const middle = y + (i + 0.5) * step + 4;
    const name = short(nameOf(r, place), 11);
    return [
      hued(
        "query",
        {},
        text(x - 6, middle, name, {...END, ...(place === r.piece && BOLD)})
      ),
      hued(
        "key",
        {},
        upright(x + (i + 0.5) * step + 4, y - 6, name, place === to && BOLD)
      ),
    ];
  });
  const less = shown.length < r.n ? ` ${filled(say.pairs, {n: shown.length})}` : "";
  return {
    parts: [...names, matrix(rows, {x, y, size, hue, chosen})],
    height: y + size + 4,
    words: words + less,
    tables: [
      [
        ["", ...shown.map(j => nameOf(r, j))],
        rows.map((row, i) => rowOf(nameOf(r, shown[i]), row)),
      ],
    ],
  };
}

// What is added to what came in, and their sum, as arrows; the norm follows.
export function residualView(r, lengths, after, told) {
  const [before, change, sum] = lengths;
  const names = lengths.map((value, i) => `${LOOK.residual[i]} ${value.toFixed(1)}`);
  const {part, end} = triangle(lengths, names);
  const cosine = (before ** 2 + sum ** 2 - change ** 2) / (2 * before * sum);
  const degrees = (Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI;
  return {
    parts: [part],
    height: end,
    words: filled(told, {
      piece: nameOf(r),
      share: (change / before).toFixed(2),
      degrees: degrees.toFixed(0),
      after: after.toFixed(1),
    }),
    tables: [
      [[], [...lengths, after].map((value, i) => [LOOK.residual[i], fixed(value)])],
    ],
  };
}

export const layerName = number =>
  number ? filled(say.layer, {layer: number - 1}) : say.embedded;
