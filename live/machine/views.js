// What each step of the tour shows of a reading: {parts, height, words, tables}, where a
// table is [columns, rows] of text, the first of a row its name.
import {svg} from "../components.js";
import {filled, STEPS as LOOK} from "../looks.js";
import {range} from "../model/numbers.js";
import {ATTENTION} from "./attention.js";
import {
  BOLD,
  cells,
  comes,
  END,
  frame,
  largestOf,
  MIDDLE,
  short,
  text,
  upright,
  WIDE,
} from "./draw.js";
import {
  percent,
  rowOf,
  nameOf,
  barView,
  residualView,
  layerName,
  say,
} from "./parts.js";
import {at, shownOf} from "./reading.js";

// The view of a step, for a reading with `piece`, `layer` and `head`.
export const viewOf = (step, reading) => VIEWS[step](at(reading));

const VIEWS = {
  pieces(r) {
    const parts = [];
    let [x, y] = [2, 4];
    r.tokens.slice(0, LOOK.many).forEach((piece, i) => {
      const [name, id] = [short(piece, 40), String(r.ids[i])];
      const width = 14 + 8.6 * Math.max(name.length, id.length);
      if (x + width > WIDE - 2) [x, y] = [2, y + 50];
      const middle = x + width / 2;
      const look = i === r.piece ? {"stroke-width": 2.5} : {};
      const box = svg(
        "g",
        {},
        frame(x, y, width, 42, look),
        text(middle, y + 17, name, {...MIDDLE, ...(i === r.piece && BOLD)}),
        comes(text(middle, y + 35, id, MIDDLE), 0, -16, 300 + i * 60)
      );
      parts.push(comes(box, 0, -10, i * 60));
      x += width + 6;
    });
    const more = r.n > LOOK.many ? filled(say.more, {n: r.n - LOOK.many}) : "";
    const table = [[], r.tokens.map((piece, i) => [piece, String(r.ids[i])])];
    return {
      parts,
      height: y + 48,
      words: `${filled(say.pieces, {n: r.n, piece: nameOf(r)})} ${more}`.trim(),
      tables: [table],
    };
  },
  inputs(r) {
    const rows = LOOK.inputs.map((name, i) => [name, r.length("embedded", r.piece, i)]);
    return barView(rows, filled(say.inputs, {piece: nameOf(r)}), "plain");
  },
  between(r) {
    const lengths = [r.length("states"), r.length("found"), r.length("total1")];
    return residualView(r, lengths, r.length("between"), say.between);
  },
  wide(r) {
    const shown = shownOf(r, LOOK.few);
    const rows = shown.map(i => [nameOf(r, i), r.length("fire", i)]);
    const words = filled(say.wide, {
      fire: r.length("fire").toFixed(0),
      n: r.units,
      piece: nameOf(r),
    });
    const look = {chosen: shown.indexOf(r.piece), written: value => value.toFixed(0)};
    return barView(rows, words, "plain", look);
  },
  narrow(r) {
    const lengths = [r.length("between"), r.length("narrow"), r.length("total2")];
    const after = r.length("states", r.piece, r.layer + 1);
    return residualView(r, lengths, after, say.narrow);
  },
  layers(r) {
    const rows = r.guesses[r.piece].map(([[piece, share]], number) => [
      `${layerName(number)}: ${piece}`,
      share,
    ]);
    const look = {chosen: r.layer + 1, written: percent};
    return barView(rows, filled(say.layers, {piece: nameOf(r)}), "plain", look);
  },
  guesses(r) {
    const rows = r.guesses[r.piece].at(-1);
    const [[guess, share]] = rows;
    const words = filled(say.guesses, {piece: nameOf(r), guess, share: percent(share)});
    return barView(rows, words, "plain", {chosen: 0, written: percent});
  },
  parting(r) {
    const {parting} = r;
    const only = words => ({parts: [], height: 0, words, tables: []});
    if (!parting) return only(say["no second"]);
    if (parting.unequal) {
      const [a, b] = parting.unequal;
      return only(filled(say.unequal, {a, b}));
    }
    const shown = shownOf(r, LOOK.few);
    const rows = range(r.layers + 1).map(k =>
      Float32Array.from(shown, i => parting.apart[k * r.n + i])
    );
    const [x, y, step] = [92, 76, (WIDE - 92) / shown.length];
    const most = largestOf(parting.apart);
    const parts = shown.map((place, i) => {
      const own = nameOf(r, place);
      const changed = own === parting.tokens[place] ? {} : BOLD;
      return upright(x + (i + 0.5) * step + 4, y - 6, short(own, 9), changed);
    });
    rows.forEach((row, k) => {
      const look = {
        x,
        y: y + k * 24,
        width: WIDE - x,
        height: 22,
        hue: "weights",
        most,
      };
      parts.push(text(x - 6, y + k * 24 + 16, layerName(k), END));
      parts.push(comes(cells(row, look), 0, -8, k * 150));
    });
    const [one, share] = r.guesses[r.piece].at(-1)[0];
    const [two, other] = parting.guesses[r.piece];
    const shares = {share: percent(share), other: percent(other)};
    return {
      parts,
      height: y + rows.length * 24 + 4,
      words: filled(say.parting, {text: parting.text, one, two, ...shares}),
      tables: [
        [
          ["", ...shown.map(i => nameOf(r, i))],
          rows.map((row, k) => rowOf(layerName(k), row)),
        ],
      ],
    };
  },
  ...ATTENTION,
};
