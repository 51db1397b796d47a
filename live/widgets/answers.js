// A passage and a question: the answer marked in the passage, or silence.
import {bars, el, textBoxes} from "../components.js";
import {ANSWERS as LOOK} from "../looks.js";

export const fieldsOf = () => ({question: null, passage: null});

export function mount({controls, changed}) {
  const labels = {question: "Question", passage: "Passage"};
  const texts = textBoxes(labels, changed);
  texts.boxes[1].querySelector("textarea").setAttribute("rows", "5");
  controls.append(...texts.boxes);
  return {
    question() {
      const {question, passage} = texts.values();
      return ["answers", question, passage];
    },
    values: texts.values,
    fill: texts.fill,
    show: (found, task, question, passage) => ({
      parts: [marked(passage, found), leads(found)],
      words: summary(passage, found),
    }),
  };
}

export const isAnswer = ({lead, line}) => lead > line;

// The passage, in it the answer; of silence, what it would have been is not marked.
export function marked(passage, found) {
  const {from, to} = isAnswer(found) ? found : {from: 0, to: 0};
  const said = to ? [el("mark", {}, passage.slice(from, to))] : [];
  return el(
    "blockquote",
    {class: "live-cut", style: "overflow-wrap: anywhere"},
    passage.slice(0, from),
    ...said,
    passage.slice(to)
  );
}

// Lead and threshold under one another, on one scale.
export function leads({lead, line}) {
  const most = Math.max(Math.abs(lead), line, 1);
  const rows = [
    {name: LOOK.lead, value: lead / most},
    {name: LOOK.line, value: line / most},
  ];
  return bars(rows, share => written(share * most));
}

const written = value => value.toFixed(1).replace("-", "−");

export function summary(passage, found) {
  const {from, to, lead, line} = found;
  const values = `${written(lead)}, threshold ${written(line)}`;
  const span = `“${passage.slice(from, to)}”`;
  return isAnswer(found)
    ? `Answer: ${span}. Lead ${values}.`
    : `Declined: the best span, ${span}, has a lead of ${values}.`;
}
