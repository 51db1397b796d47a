import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";

import {Tokenizer} from "../../node_modules/@huggingface/tokenizers/dist/tokenizers.mjs";
import {Reader} from "../model/reader.js";

const settings = JSON.parse(readFileSync(process.env.LIVE_TOKENIZER, "utf8"));
const tokenizer = new Tokenizer(settings, {});

test("what is missing or too much for a task is named, and no model asked", async () => {
  const reader = new Reader(tokenizer, () => assert.fail("the model was asked"));
  await assert.rejects(reader.masked("[MASK] ".repeat(40)), /40 words are hidden/);
  await assert.rejects(reader.next("One.", " "), /second text/);
});

test("a word's vector is the mean over its pieces in the last layer", async () => {
  const text = "Old strawberries, strawberry jam, strawberries.";
  const {tokens} = new Reader(tokenizer).tokens(text);
  const places = [tokens.indexOf("straw"), tokens.indexOf("straw") + 1];
  assert.equal(tokens[places[1]], "##berries");
  const dims = [2, tokens.length, 3];
  const reader = new Reader(tokenizer, () => ({data: lastLayer(tokens.length), dims}));
  const {vector, times} = await reader.vector(text, "strawberries");
  assert.deepEqual([...vector], Array(3).fill((places[0] + places[1]) / 2));
  assert.equal(times, 2);
  await assert.rejects(reader.vector(text, "berries"), /“berries” is not in the text/);
});

// Two layers, three wide: -1 in the first, in the last the number of the place.
function lastLayer(n) {
  const last = Array.from({length: 3 * n}, (_, i) => Math.floor(i / 3));
  return Float32Array.from([...Array(3 * n).fill(-1), ...last]);
}
