// Text to tensors: pieces, ids, segments and positions as one types.
import {el, scrolling, textBox} from "./components.js";

export function mount({controls, values, changed}) {
  const first = textBox("First text", values.first, changed);
  const second = textBox("Second text (may stay empty)", values.second ?? "", changed);
  controls.append(first.box, second.box);
  return {
    question: () => ["tokens", first.input.value, second.input.value],
    values: () => ({first: first.input.value, second: second.input.value}),
    show: read => ({parts: [table(read)], words: summary(read)}),
  };
}

function table({tokens, ids, segments}) {
  const rows = {
    piece: tokens,
    id: ids,
    segment: segments,
    position: tokens.map((_, place) => place),
  };
  const lines = Object.entries(rows).map(([name, cells]) =>
    el(
      "tr",
      {},
      el("th", {scope: "row"}, name),
      ...cells.map(cell => el("td", {}, String(cell)))
    )
  );
  return scrolling("Pieces", el("table", {class: "live-pieces"}, el("tbody", {}, ...lines)));
}

export function summary({tokens, segments}) {
  const parts = tokens.filter(token => token.startsWith("##")).length;
  const unknown = tokens.filter(token => token === "[UNK]").length;
  const said = [
    `${tokens.length} pieces, special tokens included`,
    `${parts} of them continue a word`,
  ];
  if (unknown) said.push(`${unknown} unknown`);
  if (segments.includes(1)) said.push("two segments");
  return `${said.join(", ")}.`;
}
