import assert from "node:assert/strict";
import {createHash} from "node:crypto";
import {test} from "node:test";

import {opened, tried} from "../model/own.js";

const SAID = {name: "a", layers: 2, heads: 4, width: 32, pieces: 9, missing: []};
const digest = text => createHash("sha256").update(text).digest("hex");
const ABOUT = {
  format: "inside-bert-model",
  version: "1",
  about: JSON.stringify(SAID),
  "sha256 of graph": digest("abcd"),
  "sha256 of tokenizer": digest("ef"),
};

// A file as safetensors has it: `size` bytes of graph, then two of the tokenizer.
function fileOf(metadata, size = 4, rest = "abcdef".slice(0, size + 2), other = {}) {
  const header = JSON.stringify({
    __metadata__: metadata,
    graph: {dtype: "U8", shape: [size], data_offsets: [0, size]},
    tokenizer: {dtype: "U8", shape: [2], data_offsets: [size, size + 2]},
    ...other,
  });
  const length = new DataView(new ArrayBuffer(8));
  length.setBigUint64(0, BigInt(header.length), true);
  return new File([length, header, rest], "my.bin");
}

test("a file's parts are where its header says", async () => {
  const {about, parts} = await opened(fileOf(ABOUT), "1");
  assert.deepEqual(about, SAID);
  assert.equal(await parts.graph.text(), "abcd");
  assert.equal(await parts.tokenizer.text(), "ef");
});

const changed = other => JSON.stringify({...SAID, ...other});

test("what cannot be opened is refused in one line that says why", async () => {
  const no = "was not made for this page";
  const unsaid = "does not say what it holds";
  const large = fileOf(ABOUT, 1e9);
  Object.defineProperty(large, "size", {value: large.size + 1e9 - 4});
  const refused = [
    [new File([], "my.bin"), no],
    [new File(["a text, and no more than that"], "my.bin"), no],
    [fileOf({format: "pt"}), no], // the weights of a checkpoint
    [fileOf(undefined), no],
    [fileOf({...ABOUT, version: "0"}), "another version of the course"],
    [fileOf(ABOUT, 4, "abcde"), "is not whole"],
    [fileOf(ABOUT, 4, "abXdef"), "damaged in its graph"],
    [fileOf(ABOUT, 4, "abcdeX"), "damaged in its tokenizer"],
    [fileOf({...ABOUT, "sha256 of graph": undefined}), "damaged in its graph"],
    ...[null, {data_offsets: "04"}, {data_offsets: [4, 0]}].map(graph => [
      fileOf(ABOUT, 4, "abcdef", {graph}),
      unsaid,
    ]),
    ...["null", changed({heads: 0}), changed({missing: ["x"]})].map(about => [
      fileOf({...ABOUT, about}),
      unsaid,
    ]),
    [fileOf(ABOUT).slice(0, 40), no],
    [large, "is too large: unpacked it takes about"],
  ];
  for (const [file, words] of refused) {
    await assert.rejects(opened(file, "1"), ({message}) => {
      assert.ok(message.includes(words), `${message} | ${words}`);
      return !message.includes("\n");
    });
  }
});

test("a model that gives no numbers, or another's, is not taken", async () => {
  const right = {
    ...SAID,
    guesses: {6: [[["cat", 0.5]], [["dog", 0.25]]]},
    vectors: {states: Float32Array.of(0, 1)},
  };
  const asked = [];
  const answers =
    other =>
    async (...question) => {
      asked.push(question);
      return {one: {...right, ...other}};
    };
  await tried(answers({}), SAID, "my.bin");
  assert.equal(asked.length, 2);
  const refused = [
    [answers({vectors: {states: Float32Array.of(0, NaN)}}), "nan or infinite"],
    [answers({guesses: {6: [[["cat", Infinity]]]}}), "nan or infinite"],
    [answers({guesses: {6: [[[undefined, 0.5]]]}}), "lacks pieces of its model"],
    [answers({layers: 3}), "is another model than it says"],
    [() => Promise.reject(new Error("It has no ids.")), "my.bin cannot read “A cat"],
  ];
  for (const [ask, words] of refused)
    await assert.rejects(tried(ask, SAID, "my.bin"), ({message}) =>
      message.includes(words)
    );
});
