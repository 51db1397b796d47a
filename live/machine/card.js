// A step's picture, its words, and its numbers, one click away.
import {el, scrolling, svg} from "../components.js";
import {STEPS as LOOK} from "../looks.js";
import {INK, rounded, WIDE} from "./draw.js";

// Returns {parts, picture}; without a picture there are only words.
export function card({parts, height, words, tables}) {
  const said = el("p", {class: "live-words-of"}, words);
  if (!parts.length) return {parts: [said], picture: null};
  const look = {viewBox: `0 0 ${WIDE} ${rounded(height)}`, "aria-hidden": "true"};
  const picture = svg(
    "svg",
    {
      ...look,
      class: "machine-picture",
      "font-family": "sans-serif",
      "font-size": 14,
      fill: INK,
    },
    ...parts
  );
  const summary = el("summary", {}, LOOK.say.numbers);
  const table = el("details", {}, summary, ...tables.map(tableOf));
  return {parts: [picture, said, table], picture};
}

function tableOf([columns, rows]) {
  const heads = columns.map(name => el("th", {scope: "col"}, name));
  const lines = rows.map(([name, ...cells]) => {
    const shown = cells.map(text => el("td", {}, text));
    return el("tr", {}, el("th", {scope: "row"}, name), ...shown);
  });
  const head = heads.length ? [el("thead", {}, el("tr", {}, ...heads))] : [];
  const body = el("table", {class: "live-pieces"}, ...head, el("tbody", {}, ...lines));
  return scrolling(LOOK.say.numbers, body);
}

// Keeps a picture as a file, in the colours that the page shows.
export function keep(picture, name) {
  const copy = picture.cloneNode(true);
  copy.style.color = "#1a1a1a";
  copy.style.background = "#fff";
  const source = new XMLSerializer().serializeToString(copy);
  const href = URL.createObjectURL(new Blob([source], {type: "image/svg+xml"}));
  el("a", {href, download: `bert-${name}.svg`}).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}
