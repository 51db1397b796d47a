import assert from "node:assert/strict";
import {test} from "node:test";

import {parseHTML} from "linkedom";

import {el} from "../components.js";
import {mount} from "../widgets/search.js";

globalThis.document = parseHTML("<!doctype html>").document;

const result = {page: "p", anchor: "a", title: "<i>t", excerpt: "<script> has words"};
const meaning = [{...result, chapter: "<b>", cosine: 0.5}];

// The widget with a question, and what it shows of an answer.
function asked(question) {
  const page = {book: "../"};
  const widget = mount({controls: el("div"), page, changed() {}});
  widget.fill({text: question});
  const show = words => {
    const {parts} = widget.show({meaning, words});
    return {html: parts[0].outerHTML};
  };
  return {question: widget.question(), show};
}

test("results are text, and lead to their places in the book", () => {
  const words = {terms: ["words"], found: [{...result, anchor: "#a"}]};
  const {html} = asked("Why?").show(words);
  assert.equal(html.match(/&lt;script&gt; has words/g).length, 2);
  assert.doesNotMatch(html, /<(b|i|script)>/);
  assert.equal(html.match(/href="..\/p.html#a"/g).length, 2);
  const none = asked("Why?").show({terms: [], found: []});
  assert.match(none.html, /every word of the question/);
});

test("where the theme's search is not loaded, meaning answers alone", () => {
  const alone = asked("Why?");
  assert.deepEqual(alone.question, ["search", "Why?", null]);
  assert.match(alone.show(null).html, /is not loaded/);
});

test("where the browser keeps nothing of the site, the question is asked", () => {
  Object.defineProperty(globalThis, "localStorage", {
    get() {
      throw new Error("Access is denied for this document.");
    },
  });
  globalThis.Search = {
    hasIndex: () => true,
    _parseQuery: () => globalThis.localStorage,
  };
  const [task, text, words] = asked("Why?").question;
  assert.deepEqual([task, text, words.failed], ["search", "Why?", true]);
});
