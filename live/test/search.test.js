import assert from "node:assert/strict";
import {afterEach, test} from "node:test";

import {parseHTML} from "linkedom";

import {el} from "../components.js";
import {mount} from "../widgets/search.js";

globalThis.document = parseHTML("<!doctype html>").document;
globalThis.localStorage = {removeItem: name => forgotten.push(name)};
let forgotten = [];

const result = {page: "p", anchor: "a", title: "<i>t", excerpt: "<script> has words"};
const meaning = [{...result, chapter: "<b>", cosine: 0.5}];

// The widget with a question, and what it shows of an answer.
function asked(question) {
  const page = {book: "../"};
  const widget = mount({controls: el("div"), page, changed() {}});
  widget.fill({text: question});
  const show = words => {
    const {parts, words: said} = widget.show({meaning, words});
    return {html: parts[0].outerHTML, said};
  };
  return {question: widget.question(), show};
}

afterEach(() => {
  delete globalThis.Search;
  forgotten = [];
});

test("results are text, and lead to their places in the book", () => {
  const words = {terms: ["words"], found: [{...result, anchor: "#a"}]};
  const {html} = asked("Why?").show(words);
  assert.equal(html.match(/&lt;script&gt; has words/g).length, 2);
  assert.doesNotMatch(html, /<(b|i|script)>/);
  assert.equal(html.match(/href="..\/p.html#a"/g).length, 2);
  const none = asked("Why?").show({terms: [], found: []});
  assert.match(none.html, /every word of the question/);
});

test("where the theme has no search or cannot answer, meaning answers alone", () => {
  const alone = asked("Why?");
  assert.deepEqual(alone.question, ["search", "Why?", null]);
  assert.match(alone.show(null).html, /is not loaded/);
  globalThis.Search = {
    hasIndex: () => true,
    _parseQuery: () => [0, 1, 2, ["constructor"]],
    _performSearch() {
      throw new TypeError("Spread syntax requires ...iterable[Symbol.iterator]");
    },
  };
  const {question, show} = asked("the constructor of a class");
  const [task, text, words] = question;
  assert.deepEqual([task, text], ["search", "the constructor of a class"]);
  const {html, said} = show(words);
  assert.match(html, /cannot answer this question/);
  assert.match(said, /cosine 0.500.$/);
  assert.deepEqual(forgotten, ["sphinx_highlight_terms"]);
});

test("where the browser keeps nothing of the site, the question is asked", () => {
  const {localStorage} = globalThis;
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get() {
      throw new Error("Access is denied for this document.");
    },
  });
  globalThis.Search = {
    hasIndex: () => true,
    _parseQuery: () => globalThis.localStorage,
  };
  try {
    const [task, text, words] = asked("Why?").question;
    assert.deepEqual([task, text, words.failed], ["search", "Why?", true]);
  } finally {
    Object.defineProperty(globalThis, "localStorage", {
      configurable: true,
      value: localStorage,
    });
  }
});
