import assert from "node:assert/strict";
import {test} from "node:test";

import {parseHTML} from "linkedom";

import {STEPS} from "../looks.js";
import {journey, outputsOf, tellingHead, viewOf} from "../model/steps.js";
import {colour, drawing} from "../widgets/steps.js";

globalThis.document = parseHTML("<!doctype html>").document;

const [LAYERS, HEADS, WIDTH, WIDE] = [2, 2, 4, 6];
const made = (n, seed) => Float32Array.from({length: n}, (_, i) => Math.sin(seed + i));

// A reader of words whose model gives every tensor numbers of its own.
const reader = {
  tokens(text) {
    const tokens = ["[CLS]", ...text.split(" "), "[SEP]"];
    return {tokens, ids: tokens.map((_, i) => i), segments: tokens.map(() => 0)};
  },
  tokenizer: {id_to_token: id => `piece ${id}`},
  async run(names, ids, _segments, chosen) {
    const n = ids.length;
    const shapes = {
      attention: [LAYERS, HEADS, n, n],
      states: [LAYERS + 1, n, WIDTH],
      logits: [chosen.length, 12],
      transformed: [chosen.length, WIDTH],
    };
    const shaped = names.map((name, seed) => {
      const dims = shapes[name] ?? [n, name.startsWith("wide") ? WIDE : WIDTH];
      return [
        name,
        {
          dims,
          data: made(
            dims.reduce((a, b) => a * b),
            seed + n
          ),
        },
      ];
    });
    return Object.fromEntries(shaped);
  },
};
const near = (a, b) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < 1e-5));

test("a journey has the piece that was chosen, the hidden one, or the last word", async () => {
  const place = async (text, piece) =>
    (await journey(reader, text, piece, LAYERS)).piece;
  assert.equal(await place("a [MASK] sat", null), 2);
  assert.equal(await place("a cat sat", null), 3);
  assert.equal(await place("a [MASK] sat", 1), 1);
  assert.equal(await place("a [MASK] sat", 9), 2);
  assert.ok(outputsOf(LAYERS).includes("narrow_1"));
});

test("every step has a view of at most forty numbers that add up", async () => {
  const found = await journey(reader, "a [MASK] sat", null, LAYERS);
  const j = {...found, layer: 1, head: 1};
  for (const step of Object.keys(STEPS.steps)) {
    const {strips = [], bars = [], words} = viewOf(step, j);
    const shown = strips.reduce((total, [, values]) => total + values.length, 0);
    assert.ok(shown + bars.length <= 40, step);
    assert.equal(typeof words, "string", step);
  }
  const rows = step => viewOf(step, j).strips.map(([, values]) => values);
  const [query, key, product] = rows("products");
  near(
    query.map((x, i) => x * key[i]),
    product
  );
  const [before, change, total] = rows("between");
  near(
    before.map((x, i) => x + change[i]),
    total
  );
  const mixed = rows("mixed");
  const all = mixed.pop();
  near(
    all.map((_, i) => mixed.reduce((sum, row) => sum + row[i], 0)),
    all
  );
  const fire = found.tensors.wide_1.slice(2 * WIDE, 3 * WIDE).filter(x => x > 0).length;
  assert.match(viewOf("wide", j).words, new RegExp(`^${fire} of ${WIDE} units`));
});

test("sentences of different lengths are not laid over each other", async () => {
  const one = await journey(reader, "a [MASK] sat", null, LAYERS);
  const other = await journey(reader, "a [MASK] sat down", 2, LAYERS);
  const said = (...more) =>
    viewOf("parting", Object.assign({...one, layer: 0, head: 0}, ...more)).words;
  assert.match(said({other}), /have 5 and 6 pieces: only sentences/);
  assert.match(said(), /Type a second sentence/);
  assert.match(said({other: one}), /^Bars: /);
});

test("the telling head looks at a piece that is neither beside nor at an end", () => {
  const n = 6;
  const attention = new Float32Array(LAYERS * HEADS * n * n);
  const at = (layer, head, to) => ((layer * HEADS + head) * n + 3) * n + to;
  for (const to of [0, 2, 3, 4, 5]) attention[at(0, 0, to)] = 1;
  attention[at(0, 1, 1)] = 0.25;
  attention[at(1, 0, 1)] = 0.5;
  attention[at(1, 1, 1) + n] = 0.75; // another piece looks
  const found = {tensors: {attention}, n, heads: HEADS, piece: 3};
  assert.deepEqual(tellingHead(found), {layer: 1, head: 0});
});

test("pictures say the sign without colour and show no HTML", () => {
  const view = {columns: ["<b>", "2"], strips: [["row", [-1, 0.5]]]};
  const picture = drawing(view);
  assert.equal(picture.querySelectorAll("path").length, 1); // the number below 0
  assert.doesNotMatch(picture.outerHTML, /<b>/);
  assert.deepEqual(
    [-1, 0, 1].map(share => colour(share, STEPS.scale)),
    STEPS.scale
  );
});
