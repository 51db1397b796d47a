// Learning: a slider over the training of a small BERT moves all that it knows.
import {bars, el, menu, panel, percent, range, scrolling, svg} from "../components.js";
import {filled, LEARNING as LOOK} from "../looks.js";

// Looks that nothing else of the page has come with the script, on a click.
const GRID = "display:grid;gap:0.5rem;grid-template-columns:repeat(4,max-content)";
const CURVES = [
  {stroke: "#2b7bba", "stroke-width": 2.5},
  {stroke: "#d55e00", "stroke-width": 2.5, "stroke-dasharray": "7 3"},
];

export async function mount({controls, client, changed}) {
  const about = await client.ask("learning");
  const last = about.steps.length - 1;
  const when = number => filled(LOOK.when, {step: about.steps[number]});
  const step = range(LOOK.step, last, () => {
    say();
    changed();
  });
  const say = () => step.input.setAttribute("aria-valuetext", when(step.input.value));
  const texts = about.sentences.map(({text}, at) => [String(at), text]);
  const sentence = menu(LOOK.sentence, texts, changed);
  controls.append(
    el("p", {class: "live-menus"}, step.box),
    el("p", {class: "live-menus live-wide"}, sentence.box)
  );
  return {
    link: LOOK.link,
    question: () => [
      "snapshot",
      Number(step.input.value),
      about.sentences[Number(sentence.input.value)].text,
    ],
    values: () => ({step: step.input.value, sentence: sentence.input.value}),
    fill(values) {
      step.input.value = values.step;
      sentence.input.value = values.sentence;
      say();
    },
    show: answer => shown(about, answer, when(answer.number)),
  };
}

function shown(about, {number, tokens, guesses, attention}, when) {
  const {word} = about.sentences.find(
    ({text}) => text === tokens.slice(1, -1).join(" ")
  );
  const curves = about.curves.map(curve => drawn(curve, about.steps, number));
  const maps = attention.map((weights, at) => {
    const place = {layer: Math.floor(at / about.heads), head: at % about.heads};
    const title = filled(LOOK.head, place);
    const caption = el("figcaption", {style: "font-size:0.8rem"}, title);
    return el("figure", {style: "margin:0"}, map(tokens, weights), caption);
  });
  const told = about.curves.map(({title, series}) => {
    const each = Object.entries(series).map(([name, values]) =>
      `${name} ${values[number]}`.trim()
    );
    return `${title}: ${each.join(", ")}. `;
  });
  return {
    parts: [
      el(
        "div",
        {class: "live-panels"},
        panel(filled(LOOK.guesses, {word}), bars(guesses, percent)),
        ...curves
      ),
      el("p", {class: "live-label"}, LOOK.maps),
      scrolling(LOOK.maps, el("div", {class: "live-heads", style: GRID}, ...maps)),
    ],
    words: `${when}. ${told.join("")}Likeliest: ${guesses[0].name}.`,
  };
}

// Curves over the snapshots, a dot where the slider stands, and dashed lines beside them.
function drawn({title, low, high, series, beside}, steps, number) {
  const [width, height, left, top] = [300, 190, 34, 12];
  const x = at => left + ((width - left - 8) * at) / (steps.length - 1);
  const y = value => top + ((height - top - 24) * (high - value)) / (high - low);
  const parts = [svg("path", {d: `M${left} ${top}V${y(low)}H${width - 8}`})];
  for (const value of [low, high])
    parts.push(label(left - 4, y(value) + 5, String(value), "end"));
  for (const [name, value] of Object.entries(beside)) {
    const line = {d: `M${left} ${y(value)}H${width - 8}`, "stroke-dasharray": "4 4"};
    parts.push(svg("path", line), label(width - 8, y(value) - 4, name, "end"));
  }
  Object.entries(series).forEach(([name, values], at) => {
    const line = values.map((value, i) => `${x(i).toFixed(1)} ${y(value).toFixed(1)}`);
    const look = {...CURVES[at], d: `M${line.join("L")}`};
    const dot = {cx: x(number), cy: y(values[number]), r: 5, fill: "currentColor"};
    parts.push(svg("path", look), svg("circle", dot));
    if (Object.keys(series).length > 1)
      parts.push(label(x(steps.length - 1), y(values.at(-1)) - 8, name, "end"));
  });
  parts.push(label(left, height - 6, LOOK.first, "start"));
  parts.push(label(width - 8, height - 6, filled(LOOK.last, {n: steps.at(-1)}), "end"));
  const look = {class: "live-curve", fill: "none", stroke: "currentColor"};
  const size = {viewBox: `0 0 ${width} ${height}`, width, height};
  return panel(title, svg("svg", {...size, ...look, "aria-hidden": "true"}, ...parts));
}

function label(x, y, text, anchor) {
  const look = {stroke: "none", style: "font-size:12px"};
  return svg("text", {x, y, "text-anchor": anchor, ...look}, text);
}

// A row looks, a column is looked at; dark is high.
function map(tokens, weights) {
  const [n, cell] = [tokens.length, 11];
  const hidden = tokens.indexOf("[MASK]");
  const cells = weights.map((weight, at) => {
    const place = {x: cell * (at % n), y: cell * Math.floor(at / n)};
    const look = {
      ...place,
      width: cell,
      height: cell,
      "fill-opacity": weight.toFixed(3),
    };
    const words = `${tokens[Math.floor(at / n)]} → ${tokens[at % n]} ${weight.toFixed(2)}`;
    return svg("rect", look, svg("title", {}, words));
  });
  const mark = {x: 0, y: cell * hidden, width: cell * n, height: cell};
  const size = {viewBox: `-1 -1 ${cell * n + 2} ${cell * n + 2}`, width: cell * n + 2};
  return svg(
    "svg",
    {...size, class: "live-matrix", "aria-hidden": "true"},
    ...cells,
    svg("rect", {width: cell * n, height: cell * n, class: "live-frame"}),
    svg("rect", {...mark, class: "live-frame"})
  );
}
