// What the pictures of the machine are made of. A picture is drawn as it is in the end;
// where a part comes from, or goes to, stands on it, and `motion.js` moves it.
import {svg} from "../components.js";

export const WIDE = 400; // units of a picture
export const INK = "currentColor";
export const HUES = {
  query: "#0072b2",
  key: "#d55e00",
  value: "#00805c",
  weights: "#a63d8f",
  plain: "#646464",
};

export const rounded = value => Number(value.toFixed(1)); // no picture needs more
export const fixed = value => value.toFixed(3);

// A group in a hue: an attribute for where there is no style sheet, a class for the dark.
export const hued = (hue, look, ...parts) =>
  svg("g", {fill: HUES[hue], class: `hue-${hue}`, ...look}, ...parts);

export const text = (x, y, words, look = {}) =>
  svg("text", {x: rounded(x), y: rounded(y), ...look}, words);

export const END = {"text-anchor": "end"};
export const MIDDLE = {"text-anchor": "middle"};
export const BOLD = {"font-weight": "bold"};

// Words that stand upright over a column.
export const upright = (x, y, words, look) =>
  svg(
    "text",
    {transform: `translate(${x.toFixed(1)} ${y}) rotate(-90)`, ...look},
    words
  );

export const short = (words, letters) =>
  words.length > letters ? `${words.slice(0, Math.max(1, letters - 1))}…` : words;

// moved: [x, y, ms] from where a part comes, and when.
const moved = (x, y, when = 0) => ({
  "data-from": `${rounded(x)},${rounded(y)},${when}`,
});
const gone = (x, y, when = 0) => ({
  "data-to": `${rounded(x)},${rounded(y)},${when}`,
  opacity: 0,
});

// A part that slides to its place, or a copy that leaves it and is gone.
export const comes = (part, x, y, when) => svg("g", moved(x, y, when), part);
export const leaves = (part, x, y, when) => svg("g", gone(x, y, when), part);

// Cells side by side; what is below 0 has a bar across, for those who see no colour.
export function cells(values, {x = 0, y, width = WIDE, height = 18, hue, most}) {
  const step = width / values.length;
  const full = most ?? largestOf(values);
  const dashes = [];
  const boxes = Array.from(values, (value, i) => {
    const [left, middle] = [x + i * step, rounded(y + height / 2)];
    if (value / full < -0.02 && step > 3)
      dashes.push(`M${rounded(left + step * 0.25)} ${middle}h${rounded(step * 0.5)}`);
    return svg("rect", {
      x: rounded(left),
      y: rounded(y),
      width: rounded(step),
      height: rounded(height),
      "fill-opacity": opacity(Math.abs(value) / full),
    });
  });
  const bar = dashes.length
    ? [svg("path", {d: dashes.join(""), stroke: INK, "stroke-width": 1.2})]
    : [];
  return hued(hue, {}, ...boxes, ...bar);
}

const opacity = share => Number(Math.min(1, share).toFixed(2));
export const largestOf = values =>
  Array.from(values).reduce((a, b) => Math.max(a, Math.abs(b)), 1e-9);

export const frame = (x, y, width, height, look = {}) =>
  svg("rect", {
    x: rounded(x),
    y: rounded(y),
    width: rounded(width),
    height: rounded(height),
    fill: "none",
    stroke: INK,
    ...look,
  });

// Rows of cells, one below the other, that come in turn: {x, y, size, hue, chosen: the
// row and column that are framed}.
export function matrix(rows, {x, y, size, hue, chosen = [], most, quick = false}) {
  const step = size / rows.length;
  const full = most ?? largestOf(rows.flatMap(row => Array.from(row)));
  const drawn = rows.map((row, i) => {
    const look = {x, y: y + i * step, width: size, height: step, hue, most: full};
    return quick ? cells(row, look) : comes(cells(row, look), 0, -6, i * 70);
  });
  const [row, column] = chosen;
  const marks = [frame(x, y, size, size, {"stroke-opacity": 0.3})];
  if (row >= 0) marks.push(frame(x, y + row * step, size, step));
  if (column >= 0)
    marks.push(
      frame(x + column * step, y + row * step, step, step, {"stroke-width": 2.5})
    );
  return svg("g", {}, ...drawn, ...marks);
}

// Bars of [name, value], values below 0 hollow: {y, hue, chosen}; and where they end.
export function bars(rows, {y, hue, chosen = -1, written = fixed}) {
  const most = largestOf(rows.map(([, value]) => value));
  const drawn = rows.map(([name, value], i) => {
    const top = y + i * 21;
    const look = {
      x: 165,
      y: top + 3,
      height: 14,
      width: (165 * Math.abs(value)) / most,
    };
    const inner =
      value < 0
        ? {"fill-opacity": 0.15, stroke: INK, "stroke-dasharray": "3 2"}
        : {"fill-opacity": 0.8};
    const sizes = Object.entries(look).map(([key, size]) => [key, rounded(size)]);
    const bar = svg("rect", {...Object.fromEntries(sizes), ...inner});
    const weight = i === chosen ? BOLD : {};
    return svg(
      "g",
      {},
      text(158, top + 15, short(name, 22), {...END, ...weight}),
      comes(hued(hue, {}, bar), -12, 0, i * 50),
      text(WIDE, top + 15, written(value), END)
    );
  });
  return {part: svg("g", {}, ...drawn), end: y + rows.length * 21 + 4};
}

// Two vectors and their sum lie in one plane: three lengths are the whole picture.
export function triangle([before, change, sum], [one, two, three]) {
  const cosine = (sum ** 2 - before ** 2 - change ** 2) / (2 * before * change || 1);
  const angle = Math.acos(Math.min(1, Math.max(-1, cosine)));
  const turn = [change * Math.cos(angle), change * Math.sin(angle)];
  const scale = Math.min(
    250 / Math.max(before, before + turn[0]),
    130 / (turn[1] || 1)
  );
  const left = 30 + Math.max(0, -(before + turn[0])) * scale;
  const [high, tip] = [turn[1] * scale, before * scale];
  const base = Math.max(high, 24) + 24;
  const end = [left + tip + turn[0] * scale, base - high];
  const arrow = (x, y, to, hue, look = {}) => {
    const [a, b] = [to[0] - x, to[1] - y];
    const far = Math.hypot(a, b) || 1;
    const [u, v] = [(9 * a) / far, (9 * b) / far];
    const head = [
      to[0] - u - v / 2,
      to[1] - v + u / 2,
      to[0] - u + v / 2,
      to[1] - v - u / 2,
    ];
    const [p, q, r, s] = head.map(rounded);
    const [X, Y] = to.map(rounded);
    const line = svg("path", {
      d: `M${rounded(x)} ${rounded(y)}L${X} ${Y}`,
      "stroke-width": 3,
      fill: "none",
      ...look,
    });
    const point = svg("path", {d: `M${X} ${Y}L${p} ${q}L${r} ${s}Z`, stroke: "none"});
    return hued(hue, {class: `hue-${hue} line`, stroke: HUES[hue]}, line, point);
  };
  const start = [left + tip, base];
  const part = svg(
    "g",
    {},
    arrow(left, base, start, "plain"),
    comes(arrow(...start, end, "weights"), -tip, 0, 0),
    comes(arrow(left, base, end, "plain", {"stroke-dasharray": "7 4"}), 0, 0, 700),
    text(left + tip / 2, base + 17, one, MIDDLE),
    text(Math.max(...[start, end].map(([x]) => x)) + 8, base - high / 2 + 5, two),
    text((left + end[0]) / 2 - 10, (base + end[1]) / 2 - 8, three, END)
  );
  return {part, end: base + 26};
}
