import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";

import {Tokenizer} from "../../node_modules/@huggingface/tokenizers/dist/tokenizers.mjs";
import {parseHTML} from "linkedom";

import {answered, bestSpan} from "../model/answers.js";
import {Reader} from "../model/reader.js";
import {mount} from "../widgets/answers.js";
import {el} from "../components.js";

globalThis.document = parseHTML("<!doctype html>").document;

const kept = JSON.parse(readFileSync(process.env.LIVE_TOKENIZER, "utf8"));
const reader = new Reader(new Tokenizer(kept, {}), null);

// What is said of a passage by a model that gives two pieces of it a high score.
async function said(passage, first, last, cls = 0) {
  const read = ids => {
    const data = new Float32Array(2 * ids.length);
    data[0] = data[1] = cls;
    const begin = ids.indexOf(reader.tokenizer.token_to_id("[SEP]")) + 1;
    data[2 * (begin + first)] = data[2 * (begin + last) + 1] = 5;
    return {spans: {data}, line: {data: [6]}};
  };
  const found = await answered(reader, read, "Who?", passage);
  return {...found, said: passage.slice(found.from, found.to)};
}

test("a span is in the passage, of twelve pieces at most, no end before its start", () => {
  const scores = [9, 9, 0, 0, 1, 7, 3, 1, 2, 4]; // [CLS], a question, three pieces
  assert.deepEqual(bestSpan(scores, 2, 5), {from: 2, to: 2, sum: 8});
  assert.deepEqual(bestSpan(scores, 3, 5), {from: 3, to: 4, sum: 7});
  const far = new Float32Array(60);
  far[10] = far[35] = 9; // pieces 5 and 17, thirteen of them
  far[33] = 5;
  assert.deepEqual(bestSpan(far, 1, 30), {from: 5, to: 16, sum: 14});
});

test("an answer is cut out by its letters, in whole words", async () => {
  assert.equal((await said("Zoë’s 🦩 swam to Łódź (Poland).", 0, 0)).said, "Zoë");
  assert.equal((await said("He saw  mugwumps.", 3, 3)).said, "mugwumps");
  assert.equal((await said("He\u00a0\u200bsaw\nAnn Lee.", 2, 3)).said, "Ann Lee");
  assert.equal((await said("我的 [MASK] Ann.", 3, 3)).said, "Ann");
});

test("the lead is over the scores of no answer", async () => {
  const {lead, line} = await said("Ann ran.", 0, 0, 1.5);
  assert.deepEqual([lead, line], [7, 6]);
});

test("an answer is marked and a declined one is not", () => {
  const widget = mount({controls: el("div"), changed() {}});
  const html = lead => {
    const found = {from: 0, to: 3, lead, line: 6};
    const {parts, words} = widget.show(found, "answers", "Who?", "Ann <b>ran.");
    return parts.map(part => part.outerHTML).join("") + words;
  };
  assert.match(html(7), /<mark>Ann<\/mark> &lt;b&gt;ran.*Answer: “Ann”. Lead 7.0/);
  assert.doesNotMatch(html(6), /mark/);
  assert.match(html(-6), /Declined: the best span, “Ann”, has a lead of −6.0/);
});
