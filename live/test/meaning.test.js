import assert from "node:assert/strict";
import {test} from "node:test";

import {excerptOf} from "../model/meaning.js";

const index = {
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
};

test("the excerpt has most of the words, within the section if one is named", () => {
  assert.match(excerptOf("a/index", "", ["cats", "words"], index), /^More/);
  assert.equal(excerptOf("a/index", "two", ["words"], index), "");
  assert.equal(excerptOf("b", "", ["words"], index), "");
});
