import assert from "node:assert/strict";
import {test} from "node:test";

import {excerptOf, nearest, unpacked} from "../model/meaning.js";
import {summary} from "../widgets/search.js";

const base64 = array => Buffer.from(array.buffer).toString("base64");
// Three paragraphs in two sections; two numbers a vector, turned by the axes.
const index = unpacked({
  pages: [["a/index", "A"]],
  sections: [
    [0, "one", "One"],
    [0, "two", "Two"],
  ],
  paragraphs: [
    [0, "The first words."],
    [0, "More words, and cats."],
    [1, "Dogs."],
  ],
  mean: base64(Float32Array.of(0.5, 0)),
  axes: base64(Int16Array.of(0, 2, 2, 0)),
  step: 0.5,
  vectors: base64(Int8Array.of(0, 127, 127, 127, 127, 0)),
});

test("a section is found once, by its nearest paragraph", () => {
  // (3, 4) has length 1 as (0.6, 0.8); less the mean and turned, (0.8, 0.1).
  const found = nearest(Float32Array.of(3, 4), index);
  assert.deepEqual(
    found.map(({anchor, excerpt}) => [anchor, excerpt]),
    [
      ["two", "Dogs."],
      ["one", "More words, and cats."],
    ]
  );
  const cosine = 0.8 / Math.hypot(0.8, 0.1);
  assert.ok(Math.abs(found[0].cosine - cosine) < 1e-6);
  assert.equal(nearest(Float32Array.of(3, 4), index, 1).length, 1);
});

test("the excerpt has most of the words, within the section if one is named", () => {
  assert.match(excerptOf("a/index", "", ["cats", "words"], index), /^More/);
  assert.equal(excerptOf("a/index", "two", ["words"], index), "");
  assert.equal(excerptOf("b", "", ["words"], index), "");
});

test("the summary counts what was found by words", () => {
  const meaning = [{title: "One", cosine: 0.25}];
  const said = n => summary({meaning, words: {found: Array(n).fill({})}});
  assert.match(said(1), /“One”, cosine 0.250. By words: 1 result.$/);
  assert.match(said(0), /0 results by words.$/);
  assert.match(summary({meaning, words: null}), /0.250.$/);
  assert.match(summary({meaning, words: {found: [], failed: true}}), /0.250.$/);
});
