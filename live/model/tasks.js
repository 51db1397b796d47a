// What the page may ask: in a reader's browser of a worker, of Node when the book is built.
import {answered} from "./answers.js";
import {Board} from "./board.js";
import {excerptOf, nearest, unpacked} from "./meaning.js";
import {Learner} from "./learner.js";
import {merges} from "./merges.js";
import {without} from "./numbers.js";
import {Reader} from "./reader.js";
import {addsOf, reading, sharedGuesses} from "./steps.js";

const READ = 3; // paragraphs of the book

// bring: the name of a file => its bytes. imported: the bytes of a script => what it
// exports. Returns {load, answer}: load(parts) before answer(task, question).
export function tasksOf(bring, imported) {
  const reader = new Reader();
  const board = new Board(reader);
  let maps;
  let book;
  let learner;
  let ort;
  let read;

  const loading = {
    async tokenizer() {
      const {Tokenizer} = await imported(await bring("tokenizers"));
      reader.tokenizer = new Tokenizer(parsed(await bring("tokenizer")), {});
    },
    async runtime() {
      ort = await imported(await bring("ort"));
      ort.env.wasm.wasmBinary = await bring("wasm");
      ort.env.wasm.numThreads = 1; // more need headers that static servers do not send
    },
    async model() {
      reader.run = await runOf(ort, await bring("model"));
    },
    async answers() {
      const whole = [{path: "model.onnx", data: await bring("model")}];
      read = await readOf(ort, await bring("answers"), whole);
    },
    async maps() {
      maps = parsed(await bring("maps"));
    },
    async snapshots() {
      learner = new Learner(await bring("snapshots"));
    },
    async search() {
      book = unpacked(parsed(await bring("search")));
    },
  };

  const tasks = {
    maps: () => maps,
    merges,
    learning: () => learner.about,
    snapshot: (number, text) => learner.answer(number, text),
    size: () => board.size(),
    guesses: (...question) => board.guesses(...question),
    // For the machine, which draws all of both: {one, other, unequal, both}. other: a
    // second text, or blank. piece: a place, null for the hidden one. all: whether
    // guesses are wanted for every piece.
    async whole(text, other, piece, all = false) {
      const {layers} = await board.size();
      const one = await reading(reader, text, piece, layers, all);
      if (!other.trim()) return {one: sent(one)};
      const two = await besides(other, one.piece, layers, all);
      if (two.n !== one.n) return {one: sent(one), unequal: [one.n, two.n]};
      return {
        one: sent(one),
        other: sent(two),
        both: sharedGuesses(reader, one, two),
      };
    },
    async adds(text, places, only) {
      const sizes = {...reader.tokens(text), ...(await board.size())};
      return addsOf(reader, sizes, places, only);
    },
    answers: (question, passage) => answered(reader, read, question, passage),
    // The paragraphs that are nearest, each with what is read off it.
    async book(text) {
      const found = nearest((await reader.mean(text)).vector, book, READ);
      for (const one of found)
        Object.assign(one, await answered(reader, read, text, one.text));
      return found;
    },
    // words: what the page has found by words, {terms, found: [{page, anchor, …}]}.
    async search(text, words) {
      const meaning = nearest((await reader.mean(text)).vector, book);
      for (const result of words?.found ?? []) {
        const {page, anchor} = result;
        result.excerpt = excerptOf(page, anchor.slice(1), words.terms, book);
      }
      return {meaning, words};
    },
  };

  // The second text seldom changes: its last reading is kept.
  let second = {asked: ""};
  async function besides(...question) {
    const asked = JSON.stringify(question);
    if (asked !== second.asked)
      second = {asked, found: await reading(reader, ...question)};
    return second.found;
  }

  return {
    async load(parts) {
      for (const part of parts) await loading[part]();
    },
    // All other tasks are questions to the reader.
    answer: (task, question) =>
      task in tasks ? tasks[task](...question) : reader[task](...question),
  };
}

// A reading without what only the worker needs.
const sent = told => without(told, "shares");

// What both models want: the weights unpacked once, on loading.
const SETTINGS = {
  executionProviders: ["wasm"],
  extra: {session: {disable_quant_qdq: "1"}},
};

const integersOf = ort => values =>
  new ort.Tensor("int64", BigInt64Array.from(values, BigInt), [values.length]);

// What runs the reader of answers: (ids, segments) => {spans, line}.
async function readOf(ort, model, externalData) {
  const settings = {...SETTINGS, externalData};
  const session = await ort.InferenceSession.create(model, settings);
  const integers = integersOf(ort);
  return (ids, segments) =>
    session.run({ids: integers(ids), segments: integers(segments)});
}

// What runs a model: (output, ids, segments, chosen, touch) => as a Reader wants it.
// touch: {off, closed, patched, patch}, each for nothing where it is not given.
async function runOf(ort, model) {
  const session = await ort.InferenceSession.create(model, SETTINGS);
  const integers = integersOf(ort);
  return async (output, ids, segments, chosen, touch = {}) => {
    const {off = [], closed = [], patched = [], patch = Float32Array.of(0)} = touch;
    const inputs = {
      ids: integers(ids),
      segments: integers(segments),
      chosen: integers(chosen),
      off: integers(off),
      closed: integers(closed),
      patched: integers(patched),
      patch: new ort.Tensor("float32", patch, [1, patch.length]),
    };
    // A model without a head does not give what the head gives.
    const given = [output].flat().filter(name => session.outputNames.includes(name));
    const found = await session.run(inputs, given);
    return Array.isArray(output) ? found : found[output];
  };
}

const parsed = content => JSON.parse(new TextDecoder().decode(content));
