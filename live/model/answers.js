// Questions to a passage: the best span, and how far it leads over no answer.
import {Problem} from "./problem.js";
import {asPython} from "./reader.js";

const LONGEST = 512; // pieces of question and passage
const WIDEST = 12; // pieces of an answer
// What the tokenizer takes for a mark, and whatever stands between marks and spaces.
const UNITS = /\[(?:CLS|MASK|PAD|SEP|UNK)\]|[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;

// reader: cuts texts into pieces. read: (ids, segments) => {spans, line} of the model.
// Returns {from, to}, the letters of the best span, in whole words, its `lead`, and the
// `line` above which it is an answer.
export async function answered(reader, read, question, passage) {
  if (!question.trim()) throw new Problem("Type a question first.");
  if (!passage.trim()) throw new Problem("Type a passage first.");
  const {ids, segments} = reader.tokens(question, passage, LONGEST);
  const first = segments.indexOf(1);
  const units = unitsOf(passage, reader.tokenizer);
  if (units.length !== ids.length - 1 - first)
    throw new Problem("This passage has signs that the page cannot find again.");
  const {spans, line} = await read(ids, segments);
  const {from, to, sum} = bestSpan(spans.data, first, first + units.length);
  const [start, end] = spans.data;
  return {
    from: units[from - first].start,
    to: units[to - first].end,
    lead: sum - start - end,
    line: line.data[0],
  };
}

// For each piece of a text, the letters of the word or mark that it is from.
function unitsOf(text, tokenizer) {
  return Array.from(text.matchAll(UNITS)).flatMap(({0: unit, index}) =>
    tokenizer
      .tokenize(asPython(unit))
      .map(() => ({start: index, end: index + unit.length}))
  );
}

// scores: of a start and of an end at each place. Looked at are the places from `first`
// on, before `after`.
export function bestSpan(scores, first, after) {
  let best = {sum: -Infinity};
  for (let from = first; from < after; from++)
    for (let to = from; to < Math.min(after, from + WIDEST); to++) {
      const sum = scores[2 * from] + scores[2 * to + 1];
      if (sum > best.sum) best = {from, to, sum};
    }
  return best;
}
