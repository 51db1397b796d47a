import assert from "node:assert/strict";
import {test} from "node:test";

import {opened} from "../model/own.js";

const ABOUT = {format: "inside-bert-model", version: "1", about: '{"name": "a"}'};

// A file as safetensors has it: `size` bytes of graph, then two of the tokenizer.
function fileOf(metadata, size = 4, rest = size + 2) {
  const header = JSON.stringify({
    __metadata__: metadata,
    graph: {dtype: "U8", shape: [size], data_offsets: [0, size]},
    tokenizer: {dtype: "U8", shape: [2], data_offsets: [size, size + 2]},
  });
  const length = new DataView(new ArrayBuffer(8));
  length.setBigUint64(0, BigInt(header.length), true);
  return new File([length, header, "abcdefghij".slice(0, rest)], "my.bin");
}

test("a file's parts are where its header says", async () => {
  const {about, parts} = await opened(fileOf(ABOUT), "1");
  assert.deepEqual(about, {name: "a"});
  assert.equal(await parts.graph.text(), "abcd");
  assert.equal(await parts.tokenizer.text(), "ef");
});

test("what cannot be opened is refused in one line that says why", async () => {
  const no = "was not made for this page";
  const large = fileOf(ABOUT, 1e9);
  Object.defineProperty(large, "size", {value: large.size + 1e9 - 8});
  const refused = [
    [new File([], "my.bin"), no],
    [new File(["a text, and no more than that"], "my.bin"), no],
    [fileOf({format: "pt"}), no], // the weights of a checkpoint
    [fileOf(undefined), no],
    [fileOf({...ABOUT, version: "0"}), "another version of the course"],
    [fileOf(ABOUT, 4, 5), "is not whole"],
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
