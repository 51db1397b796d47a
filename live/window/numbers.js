// The numbers behind each step: tables of text, [name, columns, rows].
import {range} from "../model/numbers.js";
import {shown, signed} from "./paint.js";
import {mostOf} from "./reading.js";

const fixed = value => signed(value.toFixed(3));
const short = value => signed(value.toFixed(2));
const rowOf = (name, values) => [name, ...Array.from(values, fixed)];
// Vectors side by side, a row for each of their numbers.
const upright = (columns, vectors) => [
  ["", ...columns],
  range(vectors[0].length).map(x =>
    rowOf(
      String(x),
      vectors.map(values => values[x])
    )
  ),
];
const pairs = (d, valueOf) => [
  ["", ...d.tokens.map(shown)],
  range(d.n).map(i =>
    rowOf(
      shown(d.tokens[i]),
      range(d.n).map(j => valueOf(i, j))
    )
  ),
];

// d: a reading; i: the followed row; l, h: layer and head; pair: both texts as one.
export const TABLES = {
  pieces: ({d}) => [
    ["place", "piece", "id", "segment"],
    d.tokens.map((piece, i) =>
      [String(d.kept?.[i] ?? i), piece, d.ids[i], d.segments[i]].map(String)
    ),
  ],
  inputs({d, i}) {
    const {words, places_added, segments_added} = d.rows(i);
    const vectors = [
      words,
      segments_added,
      places_added,
      d.sum(i),
      d.row("states", 0, i),
    ];
    return upright(["word", "segment", "position", "sum", "norm"], vectors);
  },
  projections({d, i, l, h}) {
    const names = ["query", "key", "value"];
    return upright(
      names,
      names.map(name => d.part(name, l, i, h))
    );
  },
  // key: of which row; without one, of that which gets most weight.
  products({d, i, l, h, key: of}) {
    const to = of ?? mostOf(d, l, h, i);
    const [query, key] = [d.part("query", l, i, h), d.part("key", l, to, h)];
    const each = query.map((value, x) => value * key[x]);
    const [columns, rows] = upright(
      ["query", `key of ${shown(d.tokens[to])}`, "product"],
      [query, key, each]
    );
    return [columns, [...rows, ["sum", "", "", fixed(d.score(l, h, i, to))]]];
  },
  scores: ({d, l, h}) => pairs(d, (i, j) => d.score(l, h, i, j)),
  weights: ({d, l, h}) => pairs(d, (i, j) => d.weight(l, h, i, j)),
  mixed({d, i, l, h}) {
    const columns = range(d.n).map(
      j => `${fixed(d.weight(l, h, i, j))} × ${shown(d.tokens[j])}`
    );
    const parts = range(d.n).map(j =>
      d.part("value", l, j, h).map(value => value * d.weight(l, h, i, j))
    );
    return upright([...columns, "sum"], [...parts, d.mixed(l, i, h)]);
  },
  heads: ({d, i, l}) => [
    ["head", ...d.tokens.map(shown)],
    range(d.H).map(h =>
      rowOf(
        String(h),
        range(d.n).map(j => d.weight(l, h, i, j))
      )
    ),
  ],
  adds({d, i}) {
    const known = range(d.L).filter(l => d.adds(l, 0, i) !== null);
    if (!known.length) return null;
    const rows = known.map(l => [
      `layer ${l}`,
      ...range(d.H).map(h => short(d.adds(l, h, i))),
    ]);
    return [["", ...range(d.H).map(h => `head ${h}`)], rows];
  },
  between({d, i, l}) {
    const [state, found] = [d.row("states", l, i), d.row("projected", l, i)];
    const total = state.map((value, x) => value + found[x]);
    return upright(
      ["came in", "heads", "sum", "norm"],
      [state, found, total, d.row("between", l, i)]
    );
  },
  wide: ({d, i, l}) => upright(["after GELU"], [d.row("wide", l, i)]),
  narrow({d, i, l}) {
    const [state, back] = [d.row("between", l, i), d.row("narrow", l, i)];
    const total = state.map((value, x) => value + back[x]);
    return upright(
      ["came in", "back", "sum", "norm"],
      [state, back, total, d.row("states", l + 1, i)]
    );
  },
  layers: ({d, i}) => [
    ["", "guess", "probability"],
    range(d.L + 1).flatMap(k => {
      const [[piece, share]] = d.guesses(k, i) ?? [["?", 0]];
      return [[k ? `after layer ${k - 1}` : "before any", piece, fixed(share)]];
    }),
  ],
  guesses: ({d, i}) => [
    ["", "piece", "probability"],
    (d.guesses(d.L, i) ?? []).map(([piece, share], at) => [
      String(at + 1),
      piece,
      share.toFixed(4),
    ]),
  ],
  parting({d, pair}) {
    if (!pair) return null;
    const places = d.kept ?? range(d.n);
    const rows = pair.apart.map((row, k) =>
      rowOf(
        k ? `after layer ${k - 1}` : "embedded",
        places.map(place => row[place])
      )
    );
    return [["", ...d.tokens.map(shown)], rows];
  },
};

// The steps that a state shows, the one it is mostly about first.
export function stepsOf({s}) {
  if (s.cmp) return ["parting", "layers", "guesses"];
  if (s.open < 0) return ["layers", "guesses", "pieces", "parting"];
  if (s.open === 0) return ["inputs", "pieces"];
  if (s.inHead) return ["scores", "projections", "products", "weights", "mixed"];
  return ["heads", "adds", "between", "wide", "narrow"];
}

// Which of them needs the vectors of the followed row.
export const needsVectors = step =>
  ![
    "pieces",
    "scores",
    "weights",
    "heads",
    "adds",
    "layers",
    "guesses",
    "parting",
  ].includes(step);
