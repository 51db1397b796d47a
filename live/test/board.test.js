import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";

import {Tokenizer} from "../../node_modules/@huggingface/tokenizers/dist/tokenizers.mjs";
import {Board} from "../model/board.js";
import {Problem} from "../model/problem.js";
import {Reader} from "../model/reader.js";

const settings = JSON.parse(readFileSync(process.env.LIVE_TOKENIZER, "utf8"));
const tokenizer = new Tokenizer(settings, {});
const TEXT = "The cat [MASK] here.";
const OTHER = "The dog sat there.";
const NOTHING = {off: [], closed: "", place: "", after: "0"};

// A board whose model, of 2 layers with 3 heads, notes what it is asked for.
function board() {
  const asked = [];
  const reader = new Reader(tokenizer, async (output, ids, segments, chosen, touch) => {
    asked.push({output, ids, chosen, touch});
    const n = ids.length;
    if (output === "attention") return {dims: [2, 3, n, n]};
    if (output === "states")
      return {dims: [3, n, 2], data: Float32Array.from({length: 6 * n}, (_, i) => i)};
    const off = touch.off?.length ?? 0;
    return {dims: [1, 30522], data: Float32Array.of(5 - off, 1, 0, 0, 0, 0)};
  });
  return {asked, board: new Board(reader)};
}

test("heads, a column and a patch reach the model as numbers", async () => {
  const {asked, board: own} = board();
  const choice = {off: ["1.2", "0.1"], closed: "3", place: "2", after: "1"};
  await own.guesses(TEXT, OTHER, choice);
  const n = tokenizer.encode(TEXT).ids.length;
  const {touch, chosen} = asked.at(-1);
  assert.deepEqual(chosen, [3]);
  assert.deepEqual([touch.off, touch.closed], [[5, 1], [3]]);
  assert.deepEqual(touch.patched, [n + 2]);
  assert.deepEqual([...touch.patch], [2 * (n + 2), 2 * (n + 2) + 1]);
});

test("what the board does not change is run once", async () => {
  const {asked, board: own} = board();
  await own.guesses(TEXT, OTHER, NOTHING);
  await own.guesses(TEXT, OTHER, {...NOTHING, place: "1"});
  const before = asked.length;
  await own.guesses(TEXT, OTHER, {...NOTHING, place: "2", off: ["0.0"]});
  assert.equal(asked.length, before + 1);
  await own.guesses("Another [MASK].", OTHER, NOTHING);
  assert.equal(asked.length, before + 4); // untouched, and with either layer off
});

test("what does not fit is named", async () => {
  const {board: own} = board();
  const refused = (about, choice, text = TEXT, second = OTHER) =>
    assert.rejects(
      own.guesses(text, second, {...NOTHING, ...choice}),
      error => error instanceof Problem && about.test(error.message)
    );
  await refused(/\[MASK\] 0 times/, {}, "No hole.");
  await refused(/\[MASK\] 2 times/, {}, "[MASK] and [MASK].");
  for (const head of ["2.0", "0.3", "1", "1.1.1", "-1.0", "a.b"])
    await refused(/no head/, {off: [head]});
  for (const place of ["7", "-1", "1.5", "x"]) {
    await refused(/no piece .* pieces 0 to 6/, {closed: place});
    await refused(/no piece .* pieces 0 to 6/, {place});
  }
  await refused(/after 0 to 2 layers/, {place: "1", after: "3"});
  await refused(/as many pieces/, {place: "1"}, TEXT, " ");
  await refused(/the first has 7, the second 4/, {place: "1"}, TEXT, "A cat");
});
