// Next sentence: two texts, one probability.
import {bars, percent, textBoxes} from "../components.js";
import {NEXT as LOOK} from "../looks.js";

export const fieldsOf = () => ({first: null, second: null});

export function mount({controls, changed}) {
  const texts = textBoxes({first: "First text", second: "Second text"}, changed);
  controls.append(...texts.boxes);
  return {
    question: () => ["next", ...Object.values(texts.values())],
    values: texts.values,
    fill: texts.fill,
    show: share => ({
      parts: [bars([{name: LOOK.follows, value: share}])],
      words:
        `The model gives ${percent(share)} to the second text following the first: ` +
        `it answers ${share > 0.5 ? "IsNext" : "NotNext"}.`,
    }),
  };
}
