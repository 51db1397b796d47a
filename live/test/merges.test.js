import assert from "node:assert/strict";
import {test} from "node:test";

import {learn, merges, RULES, wordsOf} from "../model/merges.js";
import {Problem} from "../model/problem.js";
import {cutAfter, summary, told} from "../widgets/merges.js";

const pairs = (text, rule) =>
  learn(wordsOf(text), RULES[rule]).map(({pair}) => pair.join(" "));

test("words are set apart as BERT does", () => {
  assert.deepEqual(wordsOf("The cat's\u00a0mat, <b>ÉA</b>"), [
    ...["the", "cat", "'", "s", "mat", ",", "<", "b", ">", "éa"],
    ...["<", "/", "b", ">"],
  ]);
});

test("the count joins what is frequent, the ratio what is never apart", () => {
  assert.deepEqual(pairs("the the the jam", "count").slice(0, 2), [
    "##h ##e",
    "t ##he",
  ]);
  assert.equal(pairs("at at at as it jam", "ratio")[0], "##a ##m");
});

test("of equal pairs the oldest pieces are joined first, from the left", () => {
  assert.deepEqual(pairs("aaaaa", "count"), ["##a ##a", "a ##aa", "aaa ##aa"]);
  assert.deepEqual(cutAfter("aaaaa", [{pair: ["##a", "##a"]}]), [
    {piece: "a", fresh: false},
    {piece: "##aa", fresh: true},
    {piece: "##aa", fresh: true},
  ]);
});

test("nothing is fresh before the first merge and after the last", () => {
  const steps = [{pair: ["a", "##b"]}];
  assert.deepEqual(cutAfter("abc", []).length, 3);
  assert.deepEqual(cutAfter("ab", steps, true), [{piece: "ab", fresh: false}]);
});

test("a text that cannot be learned from is named", () => {
  const refused = {
    "": /Type a text first/,
    " \n ": /Type a text first/,
    a: /two letters or more/,
    "🦩 ! 7": /two letters or more/,
    [".".repeat(100_000)]: /100,000 characters/,
  };
  for (const [text, about] of Object.entries(refused))
    assert.throws(
      () => merges(text, "ratio"),
      error => error instanceof Problem && about.test(error.message)
    );
});

test("a step is told in words, also where one rule is done", () => {
  const {words, rules} = merges("the moth", "ratio");
  assert.match(told(rules, 0, 5), /Before the first of 5/);
  assert.match(
    told(rules, 1, 5),
    /^Merge 1 of 5. count: .* become .* \(score \d+\); ratio: .*= \d/
  );
  const done = told({count: [], ratio: rules.ratio}, 1, 1);
  assert.match(done, /count: each word is one piece; ratio: /);
  assert.match(summary({words, rules}), /2 words; /);
});
