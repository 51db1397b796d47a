// Asks the live page's model in Node, without a page: a request a line of JSON comes in,
// {files: {name: path}, text, other, adds: whether they are wanted}; out goes the reading
// with what the machine computes of it.
import {readFile} from "node:fs/promises";
import {createInterface} from "node:readline";

import {range} from "../../live/model/numbers.js";
import {tasksOf} from "../../live/model/tasks.js";
import {apartOf, viewOf} from "../../live/window/reading.js";

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
  const {one, other: second, both} = await tasks.answer("whole", [text, other, null]);
  if (adds) one.adds = await tasks.answer("adds", [text, [one.piece]]);
  const d = viewOf(one);
  const {n, L, H} = d;
  const all = make =>
    range(L).flatMap(l => range(H).flatMap(h => range(n).flatMap(i => make(l, h, i))));
  const computed = {
    weights: all((l, h, i) => range(n).map(j => d.weight(l, h, i, j))),
    mixed: all((l, h, i) => Array.from(d.mixed(l, i, h))),
    sum: range(n).flatMap(i => Array.from(d.sum(i))),
    apart: second && apartOf(d, viewOf(second)).flat(),
  };
  const {query, key, value, scores, fire, ...lengths} = one.tensors;
  const long = Object.entries(lengths).map(([name, values]) => [`long ${name}`, values]);
  const plain = {query, key, value, scores, fire, ...Object.fromEntries(long)};
  return {...one, both, vectors: null, tensors: {...plain, ...one.vectors, ...computed}};
}

const packed = (_, value) =>
  value instanceof Float32Array ? Array.from(value) : value;

for await (const line of createInterface({input: process.stdin}))
  console.log(JSON.stringify(await answered(JSON.parse(line)), packed));
