// Senses: where a word of the reader's text falls among the chapter's own sentences.
import {bars, cosine, el, menu, svg, textBox} from "./components.js";

// As the plots of the chapters (helpers/plotting.py) have them; shapes around 0.
const COLORS = ["#0072b2", "#d55e00", "#00805c", "#a63d8f", "#444444"];
const MARKS = [
  "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0",
  "M0 -6L6 5L-6 5Z",
  "M-5 -5H5V5H-5Z",
  "M0 -7L5 0L0 7L-5 0Z",
  "M0 6L6 -5L-6 -5Z",
];
const [WIDTH, HEIGHT, MARGIN] = [560, 300, 20];

export async function mount({controls, values, client, changed}) {
  const maps = await client.ask("maps");
  const words = values.choose ? Object.keys(maps).sort() : [values.word];
  const choices = words.map(word => [word, word]);
  const word = menu("Word", choices, () => {
    // Another word needs another text: one of its own sentences.
    text.input.value = maps[word.input.value].points[0].text;
    changed();
  });
  word.input.value = words.includes(values.word) ? values.word : words[0];
  const text = textBox(`Text with the word`, values.text, changed);
  if (values.choose) controls.append(el("p", {class: "live-menus"}, word.box));
  controls.append(text.box);
  return {
    question: () => ["vector", text.input.value, word.input.value],
    values: () => ({text: text.input.value, word: word.input.value}),
    show({vector, times}, _task, _text, asked) {
      const map = maps[asked];
      const placed = place(vector, map);
      return {
        parts: [
          el("div", {class: "live-card"}, drawMap(map, placed.at)),
          legend(map.senses),
          bars(placed.senses, cosine),
        ],
        words: summary(asked, placed, times),
      };
    },
  };
}

// Where a vector lies on a map, and its cosine with the mean of each sense, best first.
export function place(vector, {mean, axes, centroids, senses}) {
  const dot = (a, b) => a.reduce((total, x, i) => total + x * b[i], 0);
  const centred = Array.from(vector, (x, i) => x - mean[i]);
  const length = Math.sqrt(dot(vector, vector));
  const rows = senses.map((name, i) => ({name, value: dot(centroids[i], vector) / length}));
  rows.sort((a, b) => b.value - a.value);
  return {at: axes.map(axis => dot(axis, centred)), senses: rows};
}

export function summary(word, {senses: [best, ...others]}, times) {
  const said = `Nearest sense of “${word}”: ${best.name}, cosine ${cosine(best.value)}`;
  const rest = others.length ? `; next ${others[0].name}, ${cosine(others[0].value)}` : "";
  const first = times > 1 ? ` The word is there ${times} times; the first counts.` : "";
  return `${said}${rest}.${first}`;
}

function drawMap({points}, at) {
  const all = [...points.map(point => point.at), at];
  const [xs, ys] = [0, 1].map(axis => all.map(place => place[axis]));
  const along = (values, value, room) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return MARGIN + ((value - low) / (high - low || 1)) * (room - 2 * MARGIN);
  };
  const x = value => along(xs, value, WIDTH).toFixed(1);
  const y = value => (HEIGHT - along(ys, value, HEIGHT)).toFixed(1);
  const marks = points.map(({at: [left, up], sense, text}) =>
    svg(
      "path",
      {
        d: MARKS[sense],
        fill: COLORS[sense],
        transform: `translate(${x(left)} ${y(up)})`,
      },
      svg("title", {}, text)
    )
  );
  const ring = {class: "live-ring", cx: x(at[0]), cy: y(at[1]), r: 11};
  return svg(
    "svg",
    {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "live-map", "aria-hidden": "true"},
    ...marks,
    svg("circle", ring)
  );
}

function legend(names) {
  const items = names.map((name, i) => {
    const mark = svg("path", {d: MARKS[i], fill: COLORS[i]});
    const look = {viewBox: "-8 -8 16 16", "aria-hidden": "true"};
    return el("li", {}, svg("svg", look, mark), name);
  });
  const ring = svg("circle", {r: 11, class: "live-ring"});
  const look = {viewBox: "-13 -13 26 26", "aria-hidden": "true"};
  items.push(el("li", {}, svg("svg", look, ring), "this sentence"));
  return el("ul", {class: "live-legend"}, ...items);
}
