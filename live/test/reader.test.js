import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";

import {Tokenizer} from "../../node_modules/@huggingface/tokenizers/dist/tokenizers.mjs";
import {Problem} from "../model/problem.js";
import {largest, softmax} from "../model/numbers.js";
import {Reader, wordsOf} from "../model/reader.js";

const settings = JSON.parse(readFileSync(process.env.LIVE_TOKENIZER, "utf8"));
const tokenizer = new Tokenizer(settings, {});

// A reader whose model gives every output the value of `answer`.
const reader = answer => new Reader(tokenizer, async (...asked) => answer(...asked));
const refused = (text, about) => {
  assert.throws(
    () => new Reader(tokenizer).tokens(text),
    error => error instanceof Problem && about.test(error.message)
  );
};

test("a pair has two segments, a blank second text none", () => {
  const read = new Reader(tokenizer).tokens("The cat sat.", "It slept.");
  assert.deepEqual(read.tokens.slice(0, 3), ["[CLS]", "the", "cat"]);
  assert.equal(read.segments.indexOf(1), read.tokens.indexOf("[SEP]") + 1);
  assert.deepEqual(
    new Reader(tokenizer).tokens("The cat sat.", "  "),
    new Reader(tokenizer).tokens("The cat sat.")
  );
});

test("each ideograph is a word, as in Python", () => {
  for (const sign of ["猫", "𠀀", "𪛟", "𪜀", "𫠟", "𫤠", "𬺯", "丽", "𪘀"]) {
    const {tokens} = new Reader(tokenizer).tokens(`on${sign}the`, `${sign}${sign}`);
    assert.deepEqual(tokens.slice(1, 4), ["on", "[UNK]", "the"], sign);
    assert.deepEqual(tokens.slice(5, 7), ["[UNK]", "[UNK]"], sign);
  }
});

test("the Arabic end of text mark is a letter, as in Python", () => {
  const {tokens} = new Reader(tokenizer).tokens("the\u061dcat");
  assert.deepEqual(tokens, ["[CLS]", "[UNK]", "[SEP]"]);
});

test("a text that cannot be read is named", () => {
  refused("", /Type a text first/);
  refused(" \n\t ", /Type a text first/);
  refused("a".repeat(10_000), /10,000 characters/);
  refused("and so on ".repeat(60), /182 pieces; .* up to 128/);
});

test("nothing is cut or filled up to a length", () => {
  const {tokens} = new Reader(tokenizer).tokens("🦩 " + "word ".repeat(124));
  assert.equal(tokens.length, 127);
  assert.ok(!tokens.includes("[PAD]"));
});

test("each mask gets its own best pieces", async () => {
  const size = settings.model.vocab["[MASK]"] + 5000;
  const dog = settings.model.vocab.dog;
  const asks = reader((output, ids, segments, chosen) => {
    assert.deepEqual([output, chosen], ["logits", [2, 6]]);
    const data = new Float32Array(2 * size);
    data[dog] = 9;
    data[size + dog + 1] = 9;
    return {data, dims: [2, size]};
  });
  const [first, second] = await asks.masked("The [MASK] barked at the [MASK].");
  assert.equal(first[0].piece, "dog");
  assert.equal(second[0].piece, tokenizer.id_to_token(dog + 1));
  assert.equal(first.length, 5);
});

test("no mask and forty masks are named", async () => {
  const asks = reader(() => assert.fail("the model was asked"));
  await assert.rejects(asks.masked("No hole."), /Click a word/);
  await assert.rejects(asks.masked("[MASK] ".repeat(40)), /40 words are hidden/);
});

test("the first logit of the next-sentence head is for IsNext", async () => {
  const asks = reader(() => ({data: Float32Array.of(2, 0), dims: [1, 2]}));
  assert.ok(Math.abs((await asks.next("One.", "Two.")) - 0.8808) < 1e-4);
  await assert.rejects(asks.next("One.", " "), /second text/);
});

test("a word's vector is the mean over its pieces in the last layer", async () => {
  const text = "Old strawberries, strawberry jam, strawberries.";
  const {tokens} = new Reader(tokenizer).tokens(text);
  const places = [tokens.indexOf("straw"), tokens.indexOf("straw") + 1];
  assert.equal(tokens[places[1]], "##berries");
  const dims = [2, tokens.length, 3];
  const asks = reader(() => ({data: lastLayer(tokens.length), dims}));
  const {vector, times} = await asks.vector(text, "strawberries");
  assert.deepEqual([...vector], Array(3).fill((places[0] + places[1]) / 2));
  assert.equal(times, 2);
  await assert.rejects(asks.vector(text, "berries"), /“berries” is not in the text/);
});

// Two layers, three wide: -1 in the first, in the last the number of the place.
function lastLayer(n) {
  const last = Array.from({length: 3 * n}, (_, i) => Math.floor(i / 3));
  return Float32Array.from([...Array(3 * n).fill(-1), ...last]);
}

test("pieces belong to words, special tokens to none but themselves", () => {
  assert.deepEqual(wordsOf(["[CLS]", "straw", "##berries", "."]), [[0], [1, 2], [3]]);
});

test("a mean is that of all pieces in the last layer", async () => {
  const asks = reader((output, ids) => {
    assert.equal(output, "states");
    const places = ids.length * 2;
    const data = Float32Array.from({length: 2 * places}, (_, at) =>
      at < places ? 99 : (at - places) % 2 ? 1 : (at - places) / 2
    );
    return {data, dims: [2, ids.length, 2]};
  });
  const {vector} = await asks.mean("The cat sat.");
  const last = new Reader(tokenizer).tokens("The cat sat.").ids.length - 1;
  assert.deepEqual([...vector].map(Math.fround), [last / 2, 1].map(Math.fround));
  await assert.rejects(asks.mean(" "), /Type a text first/);
});

test("softmax and the largest values", () => {
  const shares = softmax(Float32Array.of(1000, 1000, -1000));
  assert.deepEqual([...shares], [0.5, 0.5, 0]);
  assert.deepEqual(largest([3, 9, 1, 7, 8], 3), [1, 4, 3]);
  assert.deepEqual(largest([3], 3), [0]);
});
