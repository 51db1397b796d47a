// Senses: where a word of the reader's text falls among the chapter's own sentences.
import {bars, cosine, el, menu, svg, textBox} from "../components.js";
import {SENSES as LOOK} from "../looks.js";

// The words that it knows: its own, or all that have a map.
export async function fieldsOf({word, choose}, ask) {
  return {text: null, word: choose ? Object.keys(await ask("maps")).sort() : [word]};
}

export async function mount({controls, page, client, changed}) {
  const maps = await client.ask("maps");
  const words = page.fields.word;
  const choices = words.map(word => [word, word]);
  const word = menu("Word", choices, () => {
    // Another word needs another text: one of its own sentences.
    text.input.value = maps[word.input.value].points[0].text;
    changed();
  });
  const text = textBox("Text with the word", changed);
  if (words.length > 1) controls.append(el("p", {class: "live-menus"}, word.box));
  controls.append(text.box);
  return {
    question: () => ["vector", text.input.value, word.input.value],
    values: () => ({text: text.input.value, word: word.input.value}),
    fill(values) {
      word.input.value = values.word;
      text.input.value = values.text;
    },
    show({vector, times}, _task, _text, asked) {
      const map = maps[asked];
      const placed = place(vector, map);
      return {
        parts: [
          el("div", {class: "live-card"}, drawMap(map, placed.at)),
          legend(map),
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
  const rows = senses.map((name, i) => ({
    name,
    value: dot(centroids[i], vector) / length,
  }));
  rows.sort((a, b) => b.value - a.value);
  return {at: axes.map(axis => dot(axis, centred)), senses: rows};
}

export function summary(word, {senses: [best, ...others]}, times) {
  const said = `Nearest sense of “${word}”: ${best.name}, cosine ${cosine(best.value)}`;
  const rest = others.length
    ? `; next ${others[0].name}, ${cosine(others[0].value)}`
    : "";
  const first = times > 1 ? ` The word is there ${times} times; the first counts.` : "";
  return `${said}${rest}.${first}`;
}

function drawMap({points, colors}, at) {
  const {width, height, margin} = LOOK.map;
  const all = [...points.map(point => point.at), at];
  const [xs, ys] = [0, 1].map(axis => all.map(place => place[axis]));
  const along = (values, value, room) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return margin + ((value - low) / (high - low || 1)) * (room - 2 * margin);
  };
  const x = value => along(xs, value, width).toFixed(1);
  const y = value => (height - along(ys, value, height)).toFixed(1);
  const marks = points.map(({at: [left, up], sense, text}) =>
    svg(
      "path",
      {
        d: LOOK.marks[sense],
        fill: colors[sense],
        transform: `translate(${x(left)} ${y(up)})`,
      },
      svg("title", {}, text)
    )
  );
  const ring = {...LOOK.ring, cx: x(at[0]), cy: y(at[1])};
  return svg(
    "svg",
    {viewBox: `0 0 ${width} ${height}`, class: "live-map", "aria-hidden": "true"},
    ...marks,
    svg("circle", ring)
  );
}

function legend({senses, colors}) {
  const picture = (room, shape) =>
    svg("svg", {viewBox: room, width: 16, height: 16, "aria-hidden": "true"}, shape);
  const items = senses.map((name, i) => {
    const mark = svg("path", {d: LOOK.marks[i], fill: colors[i]});
    return el("li", {}, picture(LOOK.room, mark), name);
  });
  items.push(el("li", {}, picture(LOOK.ringRoom, svg("circle", LOOK.ring)), LOOK.here));
  return el("ul", {class: "live-legend"}, ...items);
}
