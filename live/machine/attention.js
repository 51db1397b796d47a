// What the steps within a head, and those over all heads, show of a reading.
import {svg} from "../components.js";
import {filled, STEPS as LOOK} from "../looks.js";
import {largest, range} from "../model/numbers.js";
import {
  BOLD,
  cells,
  comes,
  END,
  fixed,
  frame,
  hued,
  INK,
  largestOf,
  leaves,
  matrix,
  MIDDLE,
  short,
  text,
  WIDE,
} from "./draw.js";
import {
  signed,
  rowOf,
  columnsOf,
  nameOf,
  lookedAt,
  strip,
  pairsView,
  say,
} from "./parts.js";
import {shownOf} from "./reading.js";

export const ATTENTION = {
  projections(r) {
    const names = ["query", "key", "value"];
    const rows = names.map(name => r.ofHead(name));
    const strips = names.map((name, i) =>
      comes(strip(LOOK.projections[i], rows[i], i * 52, name), 0, -i * 52, 0)
    );
    return {
      parts: strips,
      height: 3 * 52,
      words: filled(say.projections, {piece: nameOf(r), size: r.size, width: r.width}),
      tables: [[columnsOf(r.size), names.map((name, i) => rowOf(name, rows[i]))]],
    };
  },
  products(r) {
    const to = lookedAt(r);
    const [query, key] = [r.ofHead("query"), r.ofHead("key", to)];
    const each = query.map((value, i) => value * key[i]);
    const score = r.scores(r.piece)[to];
    const [names, step] = [LOOK.products, WIDE / r.size];
    const copies = Array.from(each, (value, i) => {
      const x = i * step;
      const look = {x, y: 124, width: step, height: 22, hue: "weights"};
      const copy = cells([value], {...look, most: largestOf(each)});
      return leaves(copy, WIDE / 2 - x - step / 2, 42, 900 + i * 25);
    });
    const said = filled(say.score, {score: fixed(score)});
    const sum = svg(
      "g",
      {},
      frame(WIDE / 2 - 75, 158, 150, 26),
      text(WIDE / 2, 176, said, MIDDLE)
    );
    return {
      parts: [
        strip(`${names[0]}, ${nameOf(r)}`, query, 0, "query"),
        comes(strip(`${names[1]}, ${nameOf(r, to)}`, key, 52, "key"), 0, 40),
        comes(strip(names[2], each, 104, "weights"), 0, -52, 500),
        ...copies,
        comes(sum, 0, -8, 1100),
      ],
      height: 190,
      words: filled(say.products, {
        piece: nameOf(r),
        to: nameOf(r, to),
        n: r.size,
        score: fixed(score),
      }),
      tables: [
        [columnsOf(r.size), [query, key, each].map((row, i) => rowOf(names[i], row))],
      ],
    };
  },
  scores(r) {
    const to = lookedAt(r);
    const score = fixed(r.scores(r.piece)[to]);
    const words = filled(say.scores, {piece: nameOf(r), to: nameOf(r, to), score});
    return pairsView(r, place => r.scores(place), "weights", words, to);
  },
  weights(r) {
    const to = lookedAt(r);
    const weight = fixed(r.weights(r.piece)[to]);
    const root = Math.sqrt(r.size).toFixed(2);
    const values = {piece: nameOf(r), to: nameOf(r, to), weight, root};
    const words = filled(say.weights, values);
    return pairsView(r, place => r.weights(place), "weights", words, to);
  },
  mixed(r) {
    const {share, parts, sum} = r.gathered(r.piece);
    const shown = largest(share, LOOK.gathered);
    const most = largestOf(parts.flatMap(row => Array.from(row)));
    const [x, width, last] = [150, WIDE - 150, shown.length * 28 + 14];
    const look = {x, width, hue: "value"};
    const rows = shown.map((place, i) => {
      const y = i * 28 + 2;
      const strip = {...look, y, most};
      return svg(
        "g",
        {},
        hued("weights", {}, text(46, y + 14, fixed(share[place]), END)),
        text(54, y + 14, `× ${short(nameOf(r, place), 10)}`),
        cells(parts[place], strip),
        leaves(cells(parts[place], strip), 0, last - y, 300 + i * 150)
      );
    });
    const total = cells(sum, {...look, y: last, height: 22});
    return {
      parts: [
        ...rows,
        svg("path", {d: `M0 ${last - 7}H${WIDE}`, stroke: INK}),
        text(54, last + 16, LOOK.sum, BOLD),
        comes(total, 0, -20, 900),
      ],
      height: last + 28,
      words: filled(say.mixed, {piece: nameOf(r), n: shown.length, all: r.n}),
      tables: [
        [
          columnsOf(r.size),
          [
            ...range(r.n).map(i =>
              rowOf(`${fixed(share[i])} × ${nameOf(r, i)}`, parts[i])
            ),
            rowOf(LOOK.sum, sum),
          ],
        ],
      ],
    };
  },
  heads(r) {
    const shown = shownOf(r, LOOK.few);
    const [columns, step] = [4, WIDE / 4];
    const maps = range(r.heads).map(head => {
      const rows = shown.map(i => {
        const weights = r.weights(i, head);
        return Float32Array.from(shown, j => weights[j]);
      });
      const [x, y] = [
        (head % columns) * step,
        Math.floor(head / columns) * (step + 12),
      ];
      const row = shown.indexOf(r.piece);
      const look = {
        x: x + 4,
        y: y + 18,
        size: step - 12,
        hue: "weights",
        chosen: [row],
      };
      const own = head === r.head;
      return svg(
        "g",
        {"data-head": head, "data-from": `0,-6,${head * 40}`},
        text(x + 4, y + 13, filled(say.head, {head}), own ? BOLD : {}),
        matrix(rows, {...look, most: 1, quick: true}),
        ...(own ? [frame(x + 1, y + 15, step - 6, step - 6, {"stroke-width": 3})] : [])
      );
    });
    const table = range(r.heads).map(head => {
      const share = r.weights(r.piece, head);
      return rowOf(filled(say.head, {head}), share);
    });
    const less = shown.length < r.n ? ` ${filled(say.pairs, {n: shown.length})}` : "";
    return {
      parts: maps,
      height: Math.ceil(r.heads / columns) * (step + 12),
      words: filled(say.heads, {piece: nameOf(r)}) + less,
      tables: [[["", ...r.tokens], table]],
    };
  },
  adds(r) {
    const adds = r.adds?.[r.piece];
    const why = r.adds ? say.waiting : say["no adds"];
    if (!adds) return {parts: [], height: 0, words: why, tables: []};
    const [guess] = r.guesses[r.piece].at(-1)[0];
    const rowsOf = range(r.layers).map(k =>
      adds.subarray(k * r.heads, (k + 1) * r.heads)
    );
    const [x, most] = [70, largestOf(adds)];
    const step = (WIDE - x) / r.heads;
    const names = range(r.heads).map(head =>
      text(x + (head + 0.5) * step, 14, String(head), MIDDLE)
    );
    const rows = rowsOf.flatMap((row, layer) => {
      const y = 20 + layer * 26;
      const look = {x, y, width: WIDE - x, height: 24, hue: "weights", most};
      return [
        text(x - 6, y + 17, filled(say.layer, {layer}), END),
        comes(cells(row, look), -10, 0, layer * 80),
      ];
    });
    const [best] = largest(adds, 1);
    return {
      parts: [
        ...names,
        ...rows,
        frame(x + r.head * step, 20 + r.layer * 26, step, 24, {"stroke-width": 2.5}),
      ],
      height: 24 + r.layers * 26,
      words: filled(say.adds, {
        guess,
        layer: r.layer,
        head: r.head,
        own: signed(rowsOf[r.layer][r.head]),
        bestLayer: Math.floor(best / r.heads),
        bestHead: best % r.heads,
        most: signed(adds[best]),
      }),
      tables: [
        [
          columnsOf(r.heads),
          rowsOf.map((row, layer) => rowOf(filled(say.layer, {layer}), row)),
        ],
      ],
    };
  },
};
