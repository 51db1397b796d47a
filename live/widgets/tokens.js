// Text to tensors: pieces, ids, segments and positions as one types.
import {el, scrolling, textBoxes} from "../components.js";
import {TOKENS as LOOK} from "../looks.js";

export const fieldsOf = () => ({first: null, second: null});

export function mount({controls, changed}) {
  const labels = {first: "First text", second: "Second text (may stay empty)"};
  const texts = textBoxes(labels, changed);
  controls.append(...texts.boxes);
  return {
    question: () => ["tokens", ...Object.values(texts.values())],
    values: texts.values,
    fill: texts.fill,
    show: read => ({parts: [table(read)], words: summary(read)}),
  };
}

function table({tokens, ids, segments}) {
  const rows = [tokens, ids, segments, tokens.map((_, place) => place)];
  const lines = rows.map((cells, row) =>
    el(
      "tr",
      {},
      el("th", {scope: "row"}, LOOK.rows[row]),
      ...cells.map(cell => el("td", {}, String(cell)))
    )
  );
  const body = el("tbody", {}, ...lines);
  return scrolling(LOOK.table, el("table", {class: "live-pieces"}, body));
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
