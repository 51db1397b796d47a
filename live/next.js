// Next sentence: two texts, one probability.
import {bars, percent, textBox} from "./components.js";

export function mount({controls, values, changed}) {
  const first = textBox("First text", values.first, changed);
  const second = textBox("Second text", values.second, changed);
  controls.append(first.box, second.box);
  return {
    question: () => ["next", first.input.value, second.input.value],
    values: () => ({first: first.input.value, second: second.input.value}),
    show: share => ({
      parts: [bars([{name: "follows", value: share}])],
      words:
        `The model gives ${percent(share)} to the second text following the first: ` +
        `it answers ${share > 0.5 ? "IsNext" : "NotNext"}.`,
    }),
  };
}
