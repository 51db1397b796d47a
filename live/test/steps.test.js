import assert from "node:assert/strict";
import {test} from "node:test";

import {parseHTML} from "linkedom";

import {STEPS} from "../looks.js";
import {card} from "../machine/card.js";
import {map, tokenAt} from "../machine/map.js";
import {rail} from "../machine/rail.js";
import {at, fromPage, tellingHead, toPage} from "../machine/reading.js";
import {viewOf} from "../machine/views.js";
import {addsOf, outputsOf, parting, reading} from "../model/steps.js";

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
  async run(asked, ids, _segments, chosen, {off = []} = {}) {
    const names = [asked].flat();
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
            seed + n + (off[0] ?? 0) / 9
          ),
        },
      ];
    });
    const found = Object.fromEntries(shaped);
    return Array.isArray(asked) ? found : found[asked];
  },
};
const near = (a, b) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < 1e-5));

const read = (text, piece = null, all = false) =>
  reading(reader, text, piece, LAYERS, all);

test("a reading follows the piece that was chosen, the hidden one, or the last word", async () => {
  const place = async (...question) => (await read(...question)).piece;
  assert.equal(await place("a [MASK] sat"), 2);
  assert.equal(await place("a cat sat"), 3);
  assert.equal(await place("a [MASK] sat", 1), 1);
  assert.equal(await place("a [MASK] sat", 9), 2);
  assert.ok(outputsOf(LAYERS).includes("narrow_1"));
});

test("scores, weights and what they gather are the products of the rows", async () => {
  const r = at({...(await read("a [MASK] sat")), layer: 1, head: 1});
  const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  near(
    [0, 1, 2].map(to => dot(r.ofHead("query", 1), r.ofHead("key", to))),
    r.scores(1).slice(0, 3)
  );
  const {share, sum} = r.gathered(1);
  assert.ok(Math.abs(share.reduce((a, b) => a + b) - 1) < 1e-6);
  const first = r.n * WIDTH + 1 * r.size; // of layer 1, head 1
  const values = [...Array(r.n).keys()].map(to => r.tensors.value[first + to * WIDTH]);
  near([dot(Array.from(share), values)], [sum[0]]);
});

test("a head adds what is lost without it", async () => {
  const found = await read("a [MASK] sat");
  const adds = (await addsOf(reader, found, [2]))[2];
  assert.equal(adds.length, LAYERS * HEADS);
  assert.ok(Math.abs(adds[0]) < 1e-6 && adds[1] !== 0); // the seed moves with the head
});

test("every step has a picture, words and its numbers, and a place on the map", async () => {
  const found = await read("a [MASK] sat", null, true);
  found.adds = await addsOf(reader, found, [2]);
  found.parting = parting(found, await read("a [MASK] stood", null, true));
  const shown = {...found, layer: 1, head: 1};
  for (const step of Object.keys(STEPS.steps)) {
    const {parts, picture} = card(viewOf(step, shown));
    assert.ok(picture.querySelectorAll("rect, path").length, step);
    assert.doesNotMatch(picture.outerHTML, /NaN|undefined/, step);
    assert.ok(parts[1].textContent.length > 20, step);
    assert.doesNotMatch(parts[1].textContent, /undefined|\{/, step);
    assert.ok(parts[2].querySelectorAll("td").length, step);
    const whole = map(shown, step).drawing;
    assert.ok(whole.querySelectorAll(".lit").length, step);
    assert.doesNotMatch(whole.outerHTML, /NaN|undefined/, step);
    assert.ok(rail(shown, step).querySelectorAll(".lit").length, step);
    assert.ok(tokenAt(step, shown) > 0, step);
  }
});

test("a page carries a reading, rough where it is only drawn", async () => {
  const found = await read("a [MASK] sat", null, true);
  found.adds = await addsOf(reader, found, [0, 1, 2, 3, 4]);
  const second = await read("a [MASK] stood", null, true);
  found.parting = {...parting(found, second), apart: made(15, 1)};
  const back = fromPage(JSON.parse(JSON.stringify(toPage(found))));
  const off = (a, b) => {
    assert.equal(a.length, b.length);
    const most = a.reduce((x, y) => Math.max(x, Math.abs(y)), 0);
    return a.reduce((x, y, i) => Math.max(x, Math.abs(y - b[i])), 0) / most;
  };
  for (const [name, values] of Object.entries(found.tensors)) {
    const most = ["query", "key", "value"].includes(name) ? 1 / 32 : 1 / 8000;
    assert.ok(off(values, back.tensors[name]) <= most + 1e-6, name);
  }
  assert.ok(off(found.adds[2], back.adds[2]) < 1 / 8000);
  assert.ok(off(found.parting.apart, back.parting.apart) < 1 / 8000);
  assert.ok(back.rough && !found.rough);
});

test("sentences of different lengths are not laid over each other", async () => {
  const one = await read("a [MASK] sat");
  const other = await read("a [MASK] sat down", 2);
  const said = parting => viewOf("parting", {...one, parting, layer: 0, head: 0}).words;
  assert.match(said(parting(one, other)), /have 5 and 6 pieces: only sentences/);
  assert.match(said(null), /Type a second sentence/);
  assert.match(said(parting(one, one)), /^Beside /);
});

test("the telling head looks at a piece that is neither beside nor at an end", () => {
  const n = 6;
  const scores = new Float32Array(LAYERS * HEADS * n * n);
  const at = (layer, head, to) => ((layer * HEADS + head) * n + 3) * n + to;
  scores[at(0, 0, 2)] = 9; // beside it
  scores[at(1, 1, 0)] = 9; // an end
  scores[at(0, 1, 1)] = 2;
  scores[at(1, 0, 1)] = 3;
  scores[at(1, 1, 1) + n] = 5; // another piece looks
  const sizes = {n, layers: LAYERS, heads: HEADS, width: WIDTH, size: 1, piece: 3};
  assert.deepEqual(tellingHead({tensors: {scores}, ...sizes}), {layer: 1, head: 0});
});

test("a picture says the sign without colour and shows no HTML", async () => {
  const found = await read("<b>x</b> [MASK] sat");
  const shown = {...found, layer: 0, head: 0};
  const {picture} = card(viewOf("projections", shown));
  assert.match(picture.outerHTML, /<path[^>]* d="M/);
  assert.doesNotMatch(map(shown, "pieces").drawing.outerHTML, /<b>/);
});
