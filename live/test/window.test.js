import assert from "node:assert/strict";
import {test} from "node:test";

import {parseHTML} from "linkedom";

import {SvgContext} from "../../build_tools/live/svg_context.mjs";
import {addsOf, reading, sharedGuesses} from "../model/steps.js";
import {number} from "../window/address.js";
import {heroOf} from "../window/hero.js";
import {apartOf, fewer, keptOf, tellingHead, viewOf} from "../window/reading.js";
import {differing} from "../window/sentence.js";
import {stillOf} from "../window/still.js";
import {filesOf, packed, readingOf, unpacked} from "../window/stored.js";
import {HEADS, LAYERS, reader, WIDE} from "./reader_of_words.js";

globalThis.document = parseHTML("<!doctype html>").document;

const near = (a, b, off = 1e-5) => {
  assert.equal(a.length, b.length);
  a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < off, `${i}: ${x} ${b[i]}`));
};
const read = (text, piece = null, all = true) =>
  reading(reader, text, piece, LAYERS, all);
const pair = async () => {
  const [one, other] = [await read("a [MASK] sat"), await read("b [MASK] sat")];
  for (const told of [one, other])
    told.adds = await addsOf(reader, told, [0, 1, 2, 3, 4]);
  return {one, other, both: sharedGuesses(reader, one, other)};
};

test("a reading follows the piece that was chosen, the hidden one, or the last word", async () => {
  const place = async (...question) => (await read(...question)).piece;
  assert.equal(await place("a [MASK] sat"), 2);
  assert.equal(await place("a cat sat"), 3);
  assert.equal(await place("a cat sat ."), 3);
  assert.equal(await place("a [MASK] sat", 1), 1);
  assert.equal(await place("a [MASK] sat", 9), 2);
});

test("a head adds what is lost without it, asked of all layers or of one", async () => {
  const found = await read("a [MASK] sat");
  const all = (await addsOf(reader, found, [2]))[2];
  const one = (await addsOf(reader, found, [2], 1))[2];
  assert.equal(all.length, LAYERS * HEADS);
  near(all.subarray(HEADS), one.subarray(HEADS));
  assert.ok(Number.isNaN(one[0]) && all[1] !== 0);
});

test("a page carries its readings in files, to one step in 4,324", async () => {
  const {one, other, both} = await pair();
  const files = JSON.parse(JSON.stringify(filesOf(7, {one, other, both})));
  assert.deepEqual(Object.keys(files).slice(0, 3), ["p7", "p7a", "p7a0"]);
  const d = viewOf(readingOf(files.p7.a));
  const whole = viewOf(one);
  assert.equal(d.ready(2), false);
  Object.assign(d.told.tensors, {
    key: unpacked(files.p7a.key),
    value: unpacked(files.p7a.value),
  });
  const rows = Object.entries(files.p7a2).map(([name, part]) => [name, unpacked(part)]);
  d.give(2, Object.fromEntries(rows));
  assert.ok(d.ready(2));
  for (const name of ["query", "projected", "between", "wide", "narrow", "states"])
    near(d.row(name, 1, 2), whole.row(name, 1, 2), 1 / 4000);
  assert.equal(d.row("wide", 1, 2).length, WIDE);
  near(d.sum(2), whole.sum(2), 3 / 4000);
  near(d.mixed(1, 2, 1), whole.mixed(1, 2, 1), 1 / 2000);
  near([d.adds(1, 1, 2)], [whole.adds(1, 1, 2)], 1 / 4000);
  near(files.p7.apart[1], apartOf(whole, viewOf(other))[1], 1e-4);
  assert.equal(d.guesses(LAYERS, 2)[0][0], whole.guesses(LAYERS, 2)[0][0]);
  near(unpacked(packed(Float32Array.of(1, -3, 2), 3)), [1, -3, 2], 1e-3);
});

test("of a long text the ends, the followed row and what it looks at are drawn", async () => {
  const d = viewOf(await read("a b c d [MASK] e f g h"));
  const kept = keptOf(d, 5, 6);
  assert.equal(kept.length, 6);
  for (const place of [0, 5, d.n - 1]) assert.ok(kept.includes(place));
  const less = fewer(d, kept);
  assert.equal(less.tokens[less.hidden], "[MASK]");
  assert.equal(less.weight(1, 0, 1, 2), d.weight(1, 0, kept[1], kept[2]));
  near(less.mixed(1, 1, 1), d.mixed(1, kept[1], 1)); // of all, not of those drawn
  const heads = Array.from({length: HEADS}, (_, h) => d.weight(0, h, 2, 1));
  near([heads.reduce((a, b) => a + b) / HEADS], [d.weight(0, null, 2, 1)]);
});

test("the telling head looks at another word, and is worth most of those", () => {
  const looked = [0, 2, 1, 1]; // of each head: an end of the text, itself, and words
  const d = {L: 2, H: 2, n: 4, special: j => j % 3 === 0};
  d.weight = (l, h, _, j) => Number(looked[2 * l + h] === j);
  d.adds = (l, h) => [9, 8, 1, 2][2 * l + h];
  assert.deepEqual(tellingHead(d, 2), {worth: 2, l: 1, h: 1});
});

test("the stills are whole, say what they show, and hold no HTML of a text", async () => {
  const told = await read("<b>x</b> [MASK] sat");
  for (const {svg, words} of [stillOf(told, new SvgContext()), heroOf(told)]) {
    assert.doesNotMatch(svg, /NaN|undefined|<b>/);
    assert.match(svg, /role="img" aria-label="/);
    assert.match(words, /runs through 2 layers/);
  }
});

test("the word that differs is found in texts of as many words", () => {
  assert.equal(differing("a cup of [MASK].", "a jar of [MASK]."), 1);
  assert.equal(differing("a cup of", "a cup"), null);
  assert.equal(differing("a b", "c d"), null);
});

test("a number in a link is whole and between its bounds, or sets nothing", () => {
  const given = ["0", "99", "-1", "100", "1.5", "7abc", "1e1", "", " 3", null, "NaN"];
  assert.deepEqual(
    given.map(text => number(text, 0, 99)),
    [0, 99, ...Array(9).fill(null)]
  );
});
