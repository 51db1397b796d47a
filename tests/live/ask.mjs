// Asks the live page's model in Node, without a page: a request a line of JSON comes in,
// {files: {name: path}, text, other, adds: whether they are wanted}; out goes the reading
// with what the machine computes of it.
import {readFile} from "node:fs/promises";
import {createInterface} from "node:readline";

import {at} from "../../live/machine/reading.js";
import {range} from "../../live/model/numbers.js";
import {tasksOf} from "../../live/model/tasks.js";

let files;
let tasks;
const imported = content => {
  const text = Buffer.from(content).toString("base64");
  return import(`data:text/javascript;base64,${text}`);
};
const bring = async name => {
  const content = await readFile(files[name]);
  if (!files[name].endsWith(".gz")) return new Uint8Array(content);
  const {gunzipSync} = await import("node:zlib");
  return new Uint8Array(gunzipSync(content));
};

async function answered({files: wanted, text, other, adds}) {
  if (files?.model !== wanted.model) {
    files = wanted;
    tasks = tasksOf(bring, imported);
    await tasks.load(["tokenizer", "runtime", "model"]);
  }
  const found = await tasks.answer("steps", [text, other, null]);
  if (adds) found.adds = await tasks.answer("adds", [text, [found.piece]]);
  const {n, layers, heads} = found;
  const of = change =>
    range(layers).flatMap(layer =>
      range(heads).flatMap(head => {
        const r = at({...found, layer, head});
        return range(n).flatMap(place => Array.from(change(r, place)));
      })
    );
  const weights = of((r, place) => r.weights(place));
  const mixed = of((r, place) => r.gathered(place).sum);
  return {...found, tensors: {...found.tensors, weights, mixed}};
}

const packed = (_, value) =>
  value instanceof Float32Array ? Array.from(value) : value;

for await (const line of createInterface({input: process.stdin}))
  console.log(JSON.stringify(await answered(JSON.parse(line)), packed));
