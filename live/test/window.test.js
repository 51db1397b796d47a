import assert from "node:assert/strict";
import {test} from "node:test";

import {parseHTML} from "linkedom";

import {SvgContext} from "../../build_tools/live/svg_context.mjs";
import {addsOf, reading, sharedGuesses} from "../model/steps.js";
import {number} from "../window/address.js";
import {captionOf, guessesSaid} from "../window/caption.js";
import {CARDS} from "../window/cards.js";
import {heroOf} from "../window/hero.js";
import {stepsOf, TABLES} from "../window/numbers.js";
import {
  apartOf,
  fewer,
  keptOf,
  mostOf,
  tellingHead,
  viewOf,
} from "../window/reading.js";
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

test("weights, and what they gather, follow from the rows", async () => {
  const d = viewOf(await read("a [MASK] sat"));
  const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const places = [0, 1, 2, 3, 4];
  const scores = places.map(j => dot(d.part("query", 1, 2, 1), d.part("key", 1, j, 1)));
  near(
    scores,
    places.map(j => d.score(1, 1, 2, j))
  );
  const powers = scores.map(score => Math.exp(score / Math.sqrt(d.S)));
  const all = powers.reduce((a, b) => a + b);
  near(
    powers.map(power => power / all),
    places.map(j => d.weight(1, 1, 2, j))
  );
  const gathered = places.map(j => powers[j] * d.part("value", 1, j, 1)[0]);
  near([gathered.reduce((a, b) => a + b) / all], [d.mixed(1, 2, 1)[0]]);
  const heads = Array.from({length: HEADS}, (_, h) => d.weight(0, h, 2, 1));
  near([heads.reduce((a, b) => a + b) / HEADS], [d.weight(0, null, 2, 1)]);
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
});

test("the telling head looks at another word, and is worth most of those", async () => {
  const told = await read("a [MASK] sat");
  told.adds = {2: Float32Array.from({length: LAYERS * HEADS}, (_, i) => i)};
  const d = viewOf(told);
  const {l, h} = tellingHead(d, 2);
  const to = mostOf(d, l, h, 2);
  const all = [0, 1].flatMap(x => [0, 1].map(y => [x, y]));
  const words = all.filter(([x, y]) => {
    const at = mostOf(d, x, y, 2);
    return !d.special(at) && at !== 2;
  });
  if (words.length) assert.deepEqual([l, h], words.at(-1));
  assert.ok(to >= 0);
});

test("every state is said in words, every step has its numbers, every card its text", async () => {
  const {one, other, both} = await pair();
  const [d, b] = [one, other].map(viewOf);
  const common = {d, b, pair: {apart: apartOf(d, b), both}};
  const states = [
    {open: -1},
    {open: -1, cmp: true},
    {open: 0},
    {open: 2},
    {open: 2, inHead: true, head: 1},
  ];
  for (const state of states) {
    const s = {row: 2, head: null, inHead: false, cmp: false, ...state};
    const m = {...common, s};
    const said = captionOf(m)
      .map(part => part.textContent ?? part)
      .join("");
    assert.doesNotMatch(said, /undefined|NaN|null|object/);
    assert.ok(said.length > 40, said);
    assert.ok(guessesSaid(m).length > 2);
    for (const step of stepsOf(m)) {
      const given = {...common, i: 2, l: Math.max(0, s.open - 1), h: s.head ?? 0};
      const [columns, rows] = TABLES[step](given);
      assert.ok(rows.length, step);
      for (const row of rows) {
        assert.equal(row.length, columns.length, step);
        assert.doesNotMatch(row.join(), /undefined|NaN/, step);
      }
    }
  }
  assert.equal(CARDS.length, 12);
  for (const {title, text} of CARDS) {
    const parts = text({d, b, l: 1, h: 1});
    const said = parts.map(part => part.textContent ?? part).join("");
    assert.doesNotMatch(said, /undefined|NaN|null|object/, title);
    assert.ok(said.length > 60 && said.length < 330, title);
  }
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
