// Senses: where a word of the reader's text falls among the chapter's own sentences.
import {bars, cosine, el, menu, svg, textBox} from "../components.js";

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
          el("div", {class: "live-card"}, drawMap(map, placed.at, page.look)),
          legend(map.senses, page.look),
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

function drawMap({points}, at, {map: {width, height, margin}, ...look}) {
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
        d: look.marks[sense],
        fill: look.colors[sense],
        transform: `translate(${x(left)} ${y(up)})`,
      },
      svg("title", {}, text)
    )
  );
  const ring = {class: "live-ring", cx: x(at[0]), cy: y(at[1]), r: look.ring};
  return svg(
    "svg",
    {viewBox: `0 0 ${width} ${height}`, class: "live-map", "aria-hidden": "true"},
    ...marks,
    svg("circle", ring)
  );
}

function legend(names, look) {
  const picture = (room, shape) =>
    svg("svg", {viewBox: room, "aria-hidden": "true"}, shape);
  const items = names.map((name, i) => {
    const mark = svg("path", {d: look.marks[i], fill: look.colors[i]});
    return el("li", {}, picture(look.room, mark), name);
  });
  const ring = svg("circle", {r: look.ring, class: "live-ring"});
  items.push(el("li", {}, picture(look.ringRoom, ring), look.here));
  return el("ul", {class: "live-legend"}, ...items);
}
