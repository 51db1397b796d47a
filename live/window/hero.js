// The picture of the front page: a light runs along the hidden word's line, and under
// each layer stands what would be guessed. It moves by its style sheet alone.
import {range} from "../model/numbers.js";
import {guessesSaid, pathOf} from "./caption.js";
import {percent, shown} from "./paint.js";
import {viewOf} from "./reading.js";

const [LEFT, TOP, GAP, HIGH] = [92, 86, 29, 390];
const SPAN = 324; // of all layers
const rounded = value => Number(value.toFixed(1));
const safe = text => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);

function tag(name, look, inside = "") {
  const told = Object.entries(look)
    .filter(([, value]) => value !== null)
    .map(
      ([key, value]) => `${key}="${typeof value === "number" ? rounded(value) : value}"`
    );
  return `<${name} ${told.join(" ")}>${inside}</${name}>`;
}

const text = (x, y, words, look) => tag("text", {x, y, ...look}, safe(words));
const bend = (x0, y0, x1, y1) => {
  const m = rounded((x0 + x1) / 2);
  const [a, b, c, d] = [x0, y0, x1, y1].map(rounded);
  return `M${a} ${b}C${m} ${b} ${m} ${d} ${c} ${d}`;
};

// told: a reading. Returns {svg, words}.
export function heroOf(told) {
  const d = viewOf(told);
  const row = d.hidden >= 0 ? d.hidden : d.place;
  const at = {
    d,
    row,
    step: SPAN / d.L,
    y: i => TOP + GAP * i,
    right: LEFT + 14 + SPAN + 6,
  };
  at.x = l => LEFT + 14 + l * at.step;
  const said = `“${told.text}” runs through ${d.L} layers. Read off after each: ${pathOf(d, row).join(", ")}. At the end: ${guessesSaid({s: {row}, d}).slice(0, 3).join(", ")}.`;
  const parts = [
    sentence(told.text, at),
    bodies(at),
    names(at),
    ribbons(at),
    line(at),
    layers(at),
    fan(at),
  ];
  const box = `0 0 ${rounded(at.right + 140)} ${Math.max(HIGH, TOP + GAP * d.n + 46)}`;
  return {
    words: said,
    svg: tag(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        viewBox: box,
        role: "img",
        "aria-label": safe(said),
      },
      parts.flat(3).join("")
    ),
  };
}

// The sentence, with the guess in its hole once the light has come to the end.
function sentence(words, {d, row}) {
  const [before, after = ""] = words.split("[MASK]");
  const guess = shown(d.guesses(d.L, row)[0][0]);
  const filled = tag(
    "tspan",
    {class: "hole lit", style: `--at: ${d.L + 0.4}`},
    safe(guess)
  );
  const told = safe(before) + filled + safe(after);
  return tag(
    "text",
    {class: "line", x: LEFT - 50, y: 32, "xml:space": "preserve"},
    told
  );
}

const bodies = ({d, x, y, step}) =>
  range(d.L).map(l =>
    tag("rect", {
      class: "body",
      x: x(l) + 2,
      y: TOP - 18,
      width: step - 4,
      height: y(d.n - 1) - TOP + 36,
      rx: 9,
    })
  );

const names = ({d, row, y, right}) =>
  range(d.n).map(i => [
    i === row && d.hidden >= 0
      ? tag("rect", {class: "gap", x: LEFT - 46, y: y(i) + 6, width: 40, height: 3})
      : text(LEFT - 8, y(i) + 5, shown(d.tokens[i]), {
          class: d.special(i) ? "end" : "name",
          "text-anchor": "end",
        }),
    tag("path", {class: "row", d: `M${LEFT} ${rounded(y(i))}H${rounded(right)}`}),
  ]);

// Those of the hidden word come with the light.
const ribbons = ({d, row, x, y, step}) =>
  range(d.L).map(l =>
    range(d.n).map(i =>
      range(d.n).map(j => {
        const [own, w] = [i === row, d.weight(l, null, i, j)];
        if (w < (own ? 0.02 : 0.06)) return "";
        const grey = d.special(j);
        const strength = grey
          ? own
            ? 0.14 + 0.3 * w
            : 0.05 + 0.08 * w
          : own
            ? 0.4 + 0.6 * w
            : 0.13 + 0.4 * w;
        return tag("path", {
          class: `${grey ? "grey" : "weight"}${own ? " lit" : ""}`,
          style: own ? `--at: ${l}` : null,
          d: bend(x(l) + 3, y(j), x(l) + step * 0.62, y(i)),
          "stroke-width": Math.max(0.8, own ? 9 * Math.sqrt(w) : 8 * w),
          "stroke-opacity": strength.toFixed(2),
        });
      })
    )
  );

function line({d, row, y, right}) {
  const path = `M${LEFT} ${rounded(y(row))}H${rounded(right)}`;
  const look = {d: path, pathLength: 1, style: `--layers: ${d.L}`};
  return [
    tag("path", {...look, class: "run glow"}),
    tag("path", {...look, class: "run"}),
  ];
}

const layers = ({d, row, x, y, step}) =>
  range(d.L).map(l => {
    const [x0, x1, m] = [x(l) + step * 0.64, x(l) + step - 3, x(l) + step * 0.81];
    const swells = [-1, -0.5, 0.5, 1].map(
      t =>
        `M${rounded(x0)} ${rounded(y(row))}Q${rounded(m)} ${rounded(y(row) + t * 17)} ${rounded(x1)} ${rounded(y(row))}`
    );
    const [[piece, share]] = d.guesses(l + 1, row);
    const fresh = piece !== d.guesses(l, row)[0][0];
    const words = text(x(l) + step / 2, y(d.n - 1) + 40, shown(piece), {
      class: fresh ? "guess fresh" : "guess",
      "text-anchor": "middle",
      "font-size": 14 + 5 * Math.sqrt(share),
    });
    return tag(
      "g",
      {class: "lit", style: `--at: ${l + 0.6}`},
      tag("path", {class: "swell", d: swells.join("")}) + words
    );
  });

function fan({d, row, y, right}) {
  const rows = d.guesses(d.L, row).slice(0, 5);
  const most = rows[0][1];
  let taken = -0.5 * rows.reduce((sum, [, share]) => sum + share, 0);
  return rows.map(([piece, share], i) => {
    const [to, from] = [TOP + 22 + i * 46, y(row) + (taken + share / 2) * 20];
    taken += share;
    const look = {
      class: "stem",
      "stroke-width": Math.max(0.8, share * 20),
      "stroke-opacity": (0.35 + (0.6 * share) / most).toFixed(2),
    };
    const parts = [
      tag("path", {...look, d: bend(right, from, right + 30, to + 4)}),
      text(right + 32, to - 7, shown(piece), {class: i ? "name" : "name first"}),
      tag("rect", {
        class: "bar",
        x: right + 28,
        y: to,
        width: Math.max(3, (96 * share) / most),
        height: 8,
        rx: 4,
      }),
      text(right + 126, to - 7, percent(share), {class: "share", "text-anchor": "end"}),
    ];
    return tag(
      "g",
      {class: "lit", style: `--at: ${d.L + 0.4 + i * 0.12}`},
      parts.join("")
    );
  });
}
