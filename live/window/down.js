// On a telephone: the vectors of an open part, one below the other.
import {alpha, lying, phase, shown, words} from "./paint.js";

// What is drawn: [name, what it is, key, values, hue].
export function stepsDown({d, s}) {
  const i = s.row;
  if (s.open === 0) {
    const {words: word, segments_added: segment, places_added: place} = d.rows(i);
    return [
      [
        `the word “${shown(d.tokens[i])}”`,
        `row ${d.ids[i].toLocaleString("en")} of its table`,
        "in0",
        word,
        "ink",
      ],
      [`+ place ${d.kept?.[i] ?? i}`, "a row for each place", "in1", place, "ink"],
      [`+ segment ${d.segments[i]}`, "first or second text", "in2", segment, "ink"],
      ["= their sum", `${d.W} numbers`, "sum", d.sum(i), "ink"],
      [
        "norm: what layer 0 reads",
        `${d.W} numbers`,
        "state0",
        d.row("states", 0, i),
        "amber",
      ],
    ];
  }
  const l = s.open - 1;
  const wide = `${d.U.toLocaleString("en")} numbers, ${d.above(l, i)} above 0`;
  return [
    ["came in", `${d.W} numbers`, `in/${l}`, d.row("states", l, i), "amber"],
    [
      "+ what the heads found, mixed",
      "attention",
      `found/${l}`,
      d.row("projected", l, i),
      "weights",
    ],
    ["= sum, norm", "the residual", `mid/${l}`, d.row("between", l, i), "amber"],
    ["made wide", wide, `wide/${l}`, d.row("wide", l, i), "brand"],
    ["+ and narrow again", "feed-forward", `back/${l}`, d.row("narrow", l, i), "brand"],
    [
      "= sum, norm: goes on",
      `${d.W} numbers`,
      `out/${l}`,
      d.row("states", l + 1, i),
      "amber",
    ],
  ];
}

export function tableDown(v, steps, width) {
  const {ctx, s} = v;
  steps.forEach(([name, more, key, values, hue], r) => {
    const start = (r / steps.length) * 0.8;
    alpha(ctx, phase(s.p, start, start + 0.2), () => {
      const y = 8 + 46 * r;
      words(v, name, 2, y + 8, {size: 14});
      words(v, more, width - 2, y + 8, {size: 12.5, color: "soft", align: "right"});
      lying(v, `${key}/${s.row}`, values, hue, 2, y + 18, width - 4, 18);
    });
  });
}
