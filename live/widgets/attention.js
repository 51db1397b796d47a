// Attention: one head of the reader's text as arcs or as a matrix.
import {el, menu, scrolling, svg, textBoxes} from "../components.js";
import {ATTENTION as LOOK} from "../looks.js";
import {describe, headOf, strongest, targetsOf} from "../model/patterns.js";

const ROW = 22; // height of a token
const CELL = 18; // width and height of a weight in the matrix
const LEAST = 0.01; // weights below it are not drawn

const numbers = n => Array.from({length: n}, (_, i) => [i, String(i)]);

const {patterns} = LOOK;

// A pattern, or none for a head that was chosen by hand.
export const fieldsOf = () => ({first: null, second: null, pattern: ["", ...patterns]});

export async function mount({controls, client, changed}) {
  const labels = {first: "First text", second: "Second text (may stay empty)"};
  const texts = textBoxes(labels, changed);
  // The sizes of the model, from its answer to a text of one word.
  const size = await client.ask("attention", "a", "");
  const redraw = () => {
    pattern.input.value = "";
    drawn?.();
  };
  const layer = menu("Layer", numbers(size.layers), redraw);
  const head = menu("Head", numbers(size.heads), redraw);
  const choices = [["", "choose …"], ...patterns.map(name => [name, name])];
  const pattern = menu("Strongest head for", choices, () => drawn?.());
  const views = ["arcs", "matrix"].map(name => [name, name]);
  const view = menu("Drawn as", views, () => drawn?.());
  const token = menu("Looking token", [["", "all"]], () => drawn?.());
  const menus = [layer, head, pattern, view, token].map(({box}) => box);
  controls.append(...texts.boxes, el("p", {class: "live-menus"}, ...menus));
  let drawn = null;

  function show(read) {
    const names = read.tokens.map((name, place) => [place, `${place} ${name}`]);
    const kept = token.input.value;
    token.input.replaceChildren(
      ...[["", "all"], ...names].map(([value, name]) => el("option", {value}, name))
    );
    token.input.value = kept in read.tokens ? kept : "";
    const picture = el("div", {});
    const words = el("p", {role: "status"});
    drawn = () => {
      const found = chosenHead(read, {layer, head, pattern});
      const weights = headOf(read, Number(layer.input.value), Number(head.input.value));
      const only = token.input.value === "" ? null : Number(token.input.value);
      const draw = view.input.value === "matrix" ? matrix : arcs;
      picture.replaceChildren(scrolling("Attention", draw(read.tokens, weights, only)));
      const at = [Number(layer.input.value), Number(head.input.value)];
      words.textContent = found + describe(read, weights, ...at);
    };
    drawn();
    return {parts: [picture, words], words: ""};
  }

  return {
    question: () => ["attention", ...Object.values(texts.values())],
    values: () => ({...texts.values(), pattern: pattern.input.value}),
    fill(values) {
      texts.fill(values);
      pattern.input.value = values.pattern ?? patterns[0];
    },
    show,
  };
}

// Jumps to the strongest head of the chosen pattern; says how strong it is.
function chosenHead(read, {layer, head, pattern}) {
  const name = pattern.input.value;
  if (!name) return "";
  const best = strongest(read, targetsOf(read)[name]);
  if (!best) return `No token of this text has a target for “${name}”. `;
  layer.input.value = best.layer;
  head.input.value = best.head;
  return `Strongest for “${name}”, with ${best.score.toFixed(2)} on its targets. `;
}

// Left looks, right is looked at; the darker a line, the greater the weight.
export function arcs(tokens, weights, only) {
  const n = tokens.length;
  const middle = place => ROW * place + ROW / 2;
  const label = (x, anchor) => (token, place) => {
    const look = {x, y: middle(place) + 5, "text-anchor": anchor};
    if (anchor === "end" && place === only) look["font-weight"] = "bold";
    return svg("text", look, token);
  };
  const lines = [];
  weights.forEach((weight, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    if (weight < LEAST || (only !== null && i !== only)) return;
    const ends = {x1: 136, y1: middle(i), x2: 264, y2: middle(j)};
    const ink = {stroke: "currentColor", "stroke-width": 2};
    lines.push(svg("line", {...ends, ...ink, "stroke-opacity": weight.toFixed(3)}));
  });
  const font = {"font-family": "sans-serif", "font-size": 14, fill: "currentColor"};
  return svg(
    "svg",
    {...viewBox(400, ROW * n), ...font, class: "live-arcs", "aria-hidden": "true"},
    ...tokens.map(label(130, "end")),
    ...tokens.map(label(270, "start")),
    ...lines
  );
}

// A row looks, a column is looked at; dark is high.
export function matrix(tokens, weights, only) {
  const n = tokens.length;
  const [left, top] = [110, 100];
  const cells = [];
  weights.forEach((weight, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    if (weight < LEAST || (only !== null && i !== only)) return;
    const place = {x: left + CELL * j, y: top + CELL * i, width: CELL, height: CELL};
    const title = svg("title", {}, `${tokens[i]} → ${tokens[j]} ${weight.toFixed(2)}`);
    cells.push(svg("rect", {...place, "fill-opacity": weight.toFixed(3)}, title));
  });
  const rows = tokens.map((token, i) =>
    svg("text", {x: left - 6, y: top + CELL * i + 14, "text-anchor": "end"}, token)
  );
  const columns = tokens.map((token, j) => {
    const at = `${left + CELL * j + 13} ${top - 6}`;
    return svg("text", {transform: `translate(${at}) rotate(-60)`}, token);
  });
  const size = viewBox(left + CELL * n + 60, top + CELL * n + 4);
  const frame = {
    x: left,
    y: top,
    width: CELL * n,
    height: CELL * n,
    class: "live-frame",
  };
  return svg(
    "svg",
    {...size, class: "live-matrix", "aria-hidden": "true"},
    svg("rect", frame),
    ...cells,
    ...rows,
    ...columns
  );
}

const viewBox = (width, height) => ({viewBox: `0 0 ${width} ${height}`, width, height});
