// The book answers: three paragraphs found by meaning, read, and one cited, or none.
import {el, textBox} from "../components.js";
import {BOOK as LOOK} from "../looks.js";
import {isAnswer, leads, marked, summary} from "./answers.js";

export const fieldsOf = () => ({text: null});

export function mount({controls, page, changed}) {
  const text = textBox("Question", changed);
  controls.append(text.box);
  return {
    question: () => ["book", text.input.value],
    values: () => ({text: text.input.value}),
    fill(values) {
      text.input.value = values.text;
    },
    show: found => shown(found, page.book),
  };
}

function shown(found, root) {
  const best = found.reduce((a, b) => (b.lead > a.lead ? b : a));
  const cited = isAnswer(best) ? [best] : found;
  const label = isAnswer(best) ? LOOK.cited : LOOK.declined;
  const places = cited.map(one =>
    el(
      "li",
      {},
      el("a", {href: `${root}${one.page}.html#${one.anchor}`}, one.title),
      " ",
      el("span", {class: "live-where"}, one.chapter),
      marked(one.text, one)
    )
  );
  const list = el("ol", {class: "live-found"}, ...places);
  return {
    parts: [el("p", {class: "live-label"}, label), list, leads(best)],
    words: summary(best.text, best),
  };
}
