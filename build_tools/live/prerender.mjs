// Draws widgets with their own scripts and the live page's model: what stands in a page
// before anything is loaded. A request a line of JSON comes in, its answer goes out:
// {kind, settings, parts, files: {name: path}, book, words} => {settings, fields, words,
// output} or, of a widget that is told step by step, {settings, fields, pictures,
// stored}, or {problem}. output and each picture's html are HTML. words: what the
// theme's search has found by words, for the widget that shows it. Of the kind "machine"
// the answer is {files, stills}.
import {readFile} from "node:fs/promises";
import {createInterface} from "node:readline";
import {gunzipSync} from "node:zlib";

import {parseHTML} from "linkedom";

import {el} from "../../live/components.js";
import {sentence} from "../../live/model/problem.js";
import {tasksOf} from "../../live/model/tasks.js";
import {heroOf} from "../../live/window/hero.js";
import {stillOf} from "../../live/window/still.js";
import {filesOf} from "../../live/window/stored.js";
import {SvgContext} from "./svg_context.mjs";

const {document, HTMLSelectElement} = parseHTML("<!doctype html><body></body>");
globalThis.document = document;
// linkedom's menus cannot be set. A widget is filled before it is asked what they say.
Object.defineProperty(HTMLSelectElement.prototype, "value", {
  value: "",
  writable: true,
});

let files = {};
const loaded = new Map(); // part => the path of its last file
const {load, answer} = tasksOf(bring, imported);
const ask = async (task, ...question) => answer(task, question);

async function bring(name) {
  const content = await readFile(files[name]);
  return new Uint8Array(files[name].endsWith(".gz") ? gunzipSync(content) : content);
}

function imported(content) {
  const text = Buffer.from(content).toString("base64");
  return import(`data:text/javascript;base64,${text}`);
}

async function drawn({kind, settings: texts, parts, book, words}) {
  for (const part of parts) {
    if (loaded.get(part) === (files[part] ?? part)) continue;
    await load([part]);
    loaded.set(part, files[part] ?? part);
  }
  if (kind === "machine") return machine(texts.pairs);
  const widget = await import(`../../live/widgets/${kind}.js`);
  const settings = widget.settingsOf ? await widget.settingsOf(texts, ask) : texts;
  const fields = await widget.fieldsOf(settings, ask);
  const page = {settings, fields, book};
  const controls = el("div");
  const made = await widget.mount({controls, page, client: {ask}, changed() {}});
  made.fill(settings);
  const question = made.question();
  if (words) question[2] = words; // in a page the script of the theme finds them
  const found = await ask(...question);
  const shown = made.show(found, ...question);
  return {settings, fields, words: shown.words, output: htmlOf(shown.parts)};
}

// The files of the machine's page for pairs of texts, and its still of the first text.
async function machine(pairs) {
  const made = {};
  let stills;
  for (const [number, [text, other]] of pairs.entries()) {
    const read = await ask("whole", text, other, null, true);
    if (!read.other)
      throw new Error(`“${text}” and “${other}” have different numbers of pieces`);
    for (const told of [read.one, read.other])
      told.adds = await ask("adds", told.text, [told.piece]);
    Object.assign(made, filesOf(number, read));
    stills ??= stillsOf(read.one);
  }
  return {files: made, stills};
}

const stillsOf = told => ({
  layers: told.layers,
  still: stillOf(told, new SvgContext()),
  hero: heroOf(told),
});

const htmlOf = parts => el("div", {}, ...parts).innerHTML;

for await (const line of createInterface({input: process.stdin})) {
  const request = JSON.parse(line);
  files = request.files;
  const told = await drawn(request).catch(error => ({problem: sentence(error)}));
  console.log(JSON.stringify(told));
}
