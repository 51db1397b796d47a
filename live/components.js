// Parts that the widgets are made of. Text goes in as text nodes only, never as HTML.

export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, properties, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  fill(element, properties, children);
  return element;
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties))
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  element.append(...children);
}

let fields = 0;

// The machine has a copy of this script, so that another's number may be taken.
function newId() {
  do fields += 1;
  while (document.getElementById(`live-field-${fields}`));
  return `live-field-${fields}`;
}

// A labelled box for text: {box, input}.
export function textBox(label, changed) {
  const id = newId();
  const input = el("textarea", {id, rows: 2, spellcheck: "false", autocomplete: "off"});
  input.addEventListener("input", changed);
  return {
    input,
    box: el("p", {class: "live-field"}, el("label", {for: id}, label), input),
  };
}

// Labelled boxes for texts, by name: {boxes, values, fill}.
export function textBoxes(labels, changed) {
  const fields = Object.entries(labels).map(([name, label]) => ({
    name,
    ...textBox(label, changed),
  }));
  return {
    boxes: fields.map(({box}) => box),
    values: () =>
      Object.fromEntries(fields.map(({name, input}) => [name, input.value])),
    fill(values) {
      for (const {name, input} of fields) input.value = values[name] ?? "";
    },
  };
}

// A labelled menu of [value, name] pairs: {box, input}.
export function menu(label, choices, changed) {
  const id = newId();
  const options = choices.map(([value, name]) => el("option", {value}, name));
  const input = el("select", {id, onchange: changed}, ...options);
  return {
    input,
    box: el("span", {class: "live-menu"}, el("label", {for: id}, label), input),
  };
}

// A labelled slider from 0 to `most`: {box, input}.
export function range(label, most, changed) {
  const id = newId();
  const input = el("input", {id, type: "range", min: 0, max: most, oninput: changed});
  return {
    input,
    box: el("span", {class: "live-menu"}, el("label", {for: id}, label), input),
  };
}

// A part under its label.
export const panel = (label, ...parts) =>
  el("div", {}, el("p", {class: "live-label"}, label), ...parts);

export const percent = share => `${(100 * share).toFixed(1)} %`;
export const cosine = value => value.toFixed(3);

// A list of {name, value} with a bar and a number each.
export function bars(rows, written = percent) {
  const items = rows.map(({name, value}) => {
    const share = Math.max(0, value).toFixed(4);
    const bar = el("span", {class: "live-bar", style: `--share: ${share}`});
    const shown = [
      ["name", name],
      ["number", written(value)],
    ].map(([kind, text]) => el("span", {class: `live-${kind}`}, text));
    return el("li", {}, shown[0], bar, shown[1]);
  });
  return el("ol", {class: "live-bars"}, ...items);
}

// A box that scrolls sideways, also by the keyboard.
export function scrolling(label, ...children) {
  const look = {class: "live-scroll", tabindex: 0, role: "group", "aria-label": label};
  return el("div", look, ...children);
}
