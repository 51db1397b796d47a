// Step by step: the reader's sentence through every part of the model.
import {el, menu, scrolling, svg, textBoxes} from "../components.js";
import {STEPS as LOOK} from "../looks.js";
import {fixed, tellingHead, viewOf} from "../model/steps.js";

const [WIDE, LINE, HIGH, LETTER] = [400, 20, 26, 8]; // units of a drawing

const names = Object.keys(LOOK.steps);

// The whole settings of a widget from its texts: what tells most stands first.
export async function settingsOf({text, other = ""}, ask) {
  const answer = await ask("steps", text, other, null);
  const {piece, heads, guesses} = answer;
  const {layer, head} = tellingHead(answer);
  const shown = {text, other, step: names[0], piece, layer, head};
  return {...shown, layers: guesses.length - 1, heads};
}

// A step, a piece, a layer and a head, as many as the model has.
export function fieldsOf({layers, heads}) {
  const numbers = n => Array.from({length: n}, (_, number) => String(number));
  const free = {text: null, other: null, piece: null};
  return {...free, step: names, layer: numbers(layers), head: numbers(heads)};
}

// What the page shows of each step before anything is loaded: {name: {title, parts}}.
export async function picturesOf({text, other, piece, layer, head}, ask) {
  const answer = {...(await ask("steps", text, other, piece)), layer, head};
  const entries = names.map(name => {
    const parts = drawn(viewOf(name, answer)).parts;
    return [name, {title: LOOK.steps[name], parts}];
  });
  return Object.fromEntries(entries);
}

export function mount({controls, page, changed}) {
  // What the page tells of each step: its words and code stay, its picture goes.
  const told = Object.fromEntries(
    Array.from(document.querySelectorAll("#live-steps [data-step]"), place => [
      place.dataset.step,
      place,
    ])
  );
  const view = el("div", {class: "live-step", role: "group", tabindex: -1});
  let answer = null;
  let wanted = null; // the piece that was chosen, null for the hidden one
  let at = 0;

  const texts = textBoxes({text: "Text", other: "Second text"}, () => {
    wanted = null;
    changed();
  });
  const piece = menu("Piece", [], () => {
    wanted = Number(piece.input.value);
    changed();
  });
  const [layer, head] = ["layer", "head"].map(name =>
    menu(
      name === "layer" ? "Layer" : "Head",
      page.fields[name].map(number => [number, number]),
      () => draw()
    )
  );
  const back = el("button", {type: "button", onclick: () => go(at - 1)}, "Back");
  const forward = el("button", {type: "button", onclick: () => go(at + 1)}, "Forward");
  const rail = names.map((name, number) =>
    el(
      "button",
      {
        type: "button",
        title: LOOK.steps[name],
        onclick: () => go(number),
        "aria-label": `${number + 1}, ${LOOK.steps[name]}`,
      },
      String(number + 1)
    )
  );
  const said = el("p", {role: "status", class: "live-label"});
  const moves = {
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
    Home: () => go(0),
    End: () => go(names.length - 1),
  };
  function onkeydown(event) {
    const move = moves[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move();
  }
  const group = {class: "live-steps", role: "group", "aria-label": LOOK.say.keys};
  controls.append(
    ...texts.boxes,
    el("p", {class: "live-menus"}, piece.box, layer.box, head.box),
    el("div", {...group, onkeydown}, back, ...rail, forward),
    said
  );
  view.addEventListener("keydown", onkeydown);

  function go(step) {
    at = Math.min(Math.max(0, step), names.length - 1);
    rail.forEach((button, number) =>
      number === at
        ? button.setAttribute("aria-current", "step")
        : button.removeAttribute("aria-current")
    );
    said.textContent = `${at + 1} / ${names.length}: ${LOOK.steps[names[at]]}`;
    draw();
  }

  function draw() {
    if (!answer) return;
    const name = names[at];
    const chosen = {layer: Number(layer.input.value), head: Number(head.input.value)};
    const {parts, picture} = drawn(viewOf(name, {...answer, ...chosen}));
    const page = told[name].cloneNode(true);
    page.querySelector(".copybtn")?.remove(); // its copy would not copy
    page.querySelector(".live-view").replaceChildren(...parts);
    view.replaceChildren(...page.childNodes, ...saver(picture, name));
  }

  return {
    question: () => ["steps", texts.values().text, texts.values().other, wanted],
    values: () => ({
      ...texts.values(),
      step: names[at],
      piece: piece.input.value,
      layer: layer.input.value,
      head: head.input.value,
    }),
    fill(values) {
      texts.fill(values);
      wanted = Number.parseInt(values.piece, 10);
      layer.input.value = values.layer;
      head.input.value = values.head;
      go(names.indexOf(values.step));
    },
    show(found) {
      answer = found;
      const options = found.tokens.map((token, place) =>
        el("option", {value: place}, `${place}: ${token}`)
      );
      piece.input.replaceChildren(...options);
      piece.input.value = found.piece;
      go(at);
      return {parts: [view], words: ""};
    },
  };
}

// The drawing of a view, the sentence below it, and the table: {parts, picture}.
function drawn(view) {
  const picture = drawing(view);
  const words = view.words ? [el("p", {}, view.words)] : [];
  if (!picture) return {parts: words, picture};
  const summary = el("summary", {}, LOOK.say.numbers);
  const table = el("details", {}, summary, ...tables(view));
  return {parts: [el("div", {class: "live-card"}, picture), ...words, table], picture};
}

// The button that keeps a picture, if there is one.
function saver(picture, name) {
  if (!picture) return [];
  const onclick = () => keep(picture, name);
  return [el("p", {}, el("button", {type: "button", onclick}, LOOK.say.save))];
}

function keep(picture, name) {
  const source = new XMLSerializer().serializeToString(picture);
  const href = URL.createObjectURL(new Blob([source], {type: "image/svg+xml"}));
  el("a", {href, download: `bert-${name}.svg`}).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

// An SVG that needs no style sheet; null where there is nothing to draw.
export function drawing(view) {
  const parts = [];
  let y = 0;
  for (const draw of [drawBoxes, drawBars, drawStrips]) y = draw(view, y, parts);
  if (!parts.length) return null;
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDE} ${y}`,
      class: "live-drawing",
      "aria-hidden": "true",
      "font-family": "sans-serif",
      "font-size": 14,
      fill: LOOK.ink,
    },
    svg("rect", {width: WIDE, height: y, fill: "#fff"}),
    ...parts
  );
}

function drawBoxes({boxes = []}, y, parts) {
  const high = boxes.some(([, under]) => under) ? 40 : 24;
  let x = 4;
  for (const [text, under] of boxes) {
    const longest = Math.max(text.length, under.length);
    const width = Math.min(WIDE - 8, 12 + 9 * longest);
    if (x + width > WIDE - 4) [x, y] = [4, y + high + 6];
    const frame = {x, y: y + 4, width, height: high, fill: "none", stroke: LOOK.ink};
    const middle = x + width / 2;
    parts.push(svg("rect", frame), textAt(middle, y + 21, text, "middle"));
    parts.push(textAt(middle, y + 38, under, "middle"));
    x += width + 6;
  }
  return boxes.length ? y + high + 8 : y;
}

function drawBars({bars = []}, y, parts) {
  const most = Math.max(1e-9, ...bars.map(([, value]) => value));
  for (const [name, value] of bars) {
    const width = rounded((140 * value) / most);
    const bar = {x: 190, y: y + 4, width, height: 14, fill: LOOK.scale[2]};
    parts.push(textAt(4, y + 16, name), svg("rect", bar));
    parts.push(textAt(WIDE - 4, y + 16, fixed(value), "end"));
    y += LINE + 2;
  }
  return bars.length ? y + 4 : y;
}

function drawStrips({strips = [], columns = []}, y, parts) {
  if (!strips.length) return y;
  const step = WIDE / Math.max(1, columns.length);
  const turned = columns.some(name => name.length > 3);
  const longest = Math.max(...columns.map(name => name.length));
  y += turned ? Math.min(14, longest) * LETTER : LINE;
  columns.forEach((name, i) => {
    const x = (i + 0.5) * step;
    const kept = name.length < 15 ? name : `${name.slice(0, 13)}…`;
    const turn = {transform: `translate(${rounded(x + 5)} ${y - 3}) rotate(-90)`};
    parts.push(turned ? svg("text", turn, kept) : textAt(x, y - 4, kept, "middle"));
  });
  for (const [name, values] of strips) {
    const most = Math.max(1e-9, ...values.map(Math.abs));
    const full = `${LOOK.say.full} ${fixed(most)}`;
    parts.push(textAt(0, y + 16, name), textAt(WIDE, y + 16, full, "end"));
    y += LINE;
    values.forEach((value, i) => {
      const title = `${name}, ${columns[i]}: ${fixed(value)}`;
      parts.push(cell(i * step, y, step, value / most, title));
    });
    y += HIGH + 4;
  }
  return y + 4;
}

// A coloured box; what is below 0 has a bar across, for those who see no colour.
function cell(x, y, width, share, title) {
  const fill = colour(share, LOOK.scale);
  const box = {
    x: rounded(x),
    y,
    width: rounded(width),
    height: HIGH,
    fill,
    stroke: "#fff",
  };
  const parts = [svg("title", {}, title), svg("rect", box)];
  if (share < 0) {
    const d = `M${rounded(x + width / 2 - 4)} ${y + HIGH / 2}h8`;
    const stroke = share < -0.5 ? "#fff" : LOOK.ink;
    parts.push(svg("path", {d, stroke, "stroke-width": 2}));
  }
  return svg("g", {}, ...parts);
}

// The colour of a number as a share of the largest, -1 to 1.
export function colour(share, scale) {
  const [below, zero, above] = scale.map(code =>
    [1, 3, 5].map(at => Number.parseInt(code.slice(at, at + 2), 16))
  );
  const end = share > 0 ? above : below;
  const mixed = zero.map((a, i) => Math.round(a + Math.abs(share) * (end[i] - a)));
  return `#${mixed.map(part => part.toString(16).padStart(2, "0")).join("")}`;
}

const rounded = value => Number(value.toFixed(1)); // no picture needs more digits

const textAt = (x, y, text, anchor = "start") =>
  svg("text", {x: rounded(x), y, "text-anchor": anchor}, text);

function tables({boxes, bars, strips, columns}) {
  const found = [];
  const numbered = row => row.map(fixed);
  const numbersOf = rows => rows.map(([name, value]) => [name, fixed(value)]);
  if (boxes) found.push(table([], boxes));
  if (bars) found.push(table([], numbersOf(bars)));
  if (strips) {
    const rows = strips.map(([name, values]) => [name, ...numbered(values)]);
    found.push(table(["", ...columns], rows));
  }
  return found;
}

function table(columns, rows) {
  const heads = columns.map(name => el("th", {scope: "col"}, name));
  const lines = rows.map(([name, ...cells]) => {
    const shown = cells.map(text => el("td", {}, text));
    return el("tr", {}, el("th", {scope: "row"}, name), ...shown);
  });
  const head = heads.length ? [el("thead", {}, el("tr", {}, ...heads))] : [];
  const body = el("table", {class: "live-pieces"}, ...head, el("tbody", {}, ...lines));
  return scrolling(LOOK.say.numbers, body);
}
