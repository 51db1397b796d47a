import assert from "node:assert/strict";
import {test} from "node:test";

import {describe, headOf, strongest, targetsOf} from "../model/patterns.js";

const tokens = [
  "[CLS]",
  "the",
  "straw",
  "##berries",
  ".",
  "[SEP]",
  "the",
  "end",
  "[SEP]",
];
const segments = [0, 0, 0, 0, 0, 0, 1, 1, 1];

test("each pattern has the targets that the chapter on attention heads gives it", () => {
  const targets = targetsOf({tokens, segments});
  assert.deepEqual(targets["next word"], [[], [2], [3], [4], [], [], [7], [], []]);
  assert.deepEqual(targets["previous word"], [[], [], [1], [2], [3], [], [], [6], []]);
  assert.deepEqual(targets["same word"], [[], [6], [], [], [], [], [1], [], []]);
  assert.deepEqual(targets["same word"], targets["same word, other sentence"]);
  assert.deepEqual(targets.delimiter[2], [0, 5, 8]);
  assert.deepEqual(targets.delimiter[0], []);
});

test("a mark is no word, and a word in one sentence only is in no other", () => {
  const read = {
    tokens: ["[CLS]", ".", "a", ".", "a", "[SEP]"],
    segments: Array(6).fill(0),
  };
  const targets = targetsOf(read);
  assert.deepEqual(targets["same word"], [[], [], [4], [], [2], []]);
  assert.equal(targets["same word, other sentence"].flat().length, 0);
});

test("the strongest head is the one with most weight on the targets", () => {
  const n = 3;
  const weights = new Float32Array(2 * 2 * n * n);
  weights[3 * n * n + 1 * n + 0] = 0.8; // layer 1, head 1: token 1 looks at token 0
  const read = {tokens: ["a", "b", "c"], layers: 2, heads: 2, weights};
  const best = strongest(read, [[], [0], [1]]);
  assert.deepEqual([best.layer, best.head], [1, 1]);
  assert.ok(Math.abs(best.score - 0.4) < 1e-6);
  assert.equal(strongest(read, [[], [], []]), null);
  assert.deepEqual([...headOf(read, 1, 1)].indexOf(Math.fround(0.8)), 3);
});

test("a head is described by its strongest links between words", () => {
  const read = {tokens: ["[CLS]", "a", ".", "[SEP]"]};
  const weights = new Float32Array(16);
  weights[5] = 0.5; // a → a
  weights[9] = 0.9; // . → a: no word looks
  for (const i of [0, 1, 2, 3]) weights[4 * i + 3] += 0.25;
  assert.equal(
    describe(read, weights, 3, 4),
    "Layer 3, head 4: the strongest links between words are a → a 0.50; " +
      "[CLS] and [SEP] get 25 % of the attention."
  );
});
