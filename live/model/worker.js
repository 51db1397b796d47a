// Loads the tokenizer and the model and answers the page's questions, one at a time.
import {Board} from "./board.js";
import {download, forgetOthers} from "./download.js";
import {excerptOf, nearest, unpacked} from "./meaning.js";
import {merges} from "./merges.js";
import {sentence} from "./problem.js";
import {Reader} from "./reader.js";
import {journey} from "./steps.js";

const reader = new Reader();
const board = new Board(reader);
let maps;
let book;

const tasks = {
  async load(parts, files) {
    const come = {};
    const fetchFile = name =>
      download(files[name], bytes => {
        come[name] = bytes;
        const total = Object.values(come).reduce((a, b) => a + b, 0);
        postMessage({come: total});
      });
    const steps = {
      tokenizer: () => loadTokenizer(fetchFile),
      runtime: () => {}, // comes with the model
      model: () => loadModel(fetchFile),
      maps: async () => {
        maps = parsed(await fetchFile("maps"));
      },
      search: async () => {
        book = unpacked(parsed(await fetchFile("search")));
      },
    };
    for (const part of parts) await steps[part]();
    await forgetOthers(files);
  },
  maps: () => maps,
  merges,
  size: () => board.size(),
  guesses: (...question) => board.guesses(...question),
  // other: a second text, or blank. piece: a place. layers: how many the model has.
  async steps(text, other, piece, layers) {
    const first = await journey(reader, text, piece, layers);
    const second = other.trim() ? await comparedWith(other, first.piece, layers) : null;
    return {...first, other: second};
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

// The second text seldom changes: its last journey is kept.
let compared = {asked: ""};
async function comparedWith(...question) {
  const asked = JSON.stringify(question);
  if (asked !== compared.asked)
    compared = {asked, journey: await journey(reader, ...question)};
  return compared.journey;
}

// All other tasks are questions to the reader.
const answer = (task, question) =>
  task in tasks ? tasks[task](...question) : reader[task](...question);

async function loadTokenizer(fetchFile) {
  const {Tokenizer} = await imported(await fetchFile("tokenizers"));
  reader.tokenizer = new Tokenizer(parsed(await fetchFile("tokenizer")), {});
}

async function loadModel(fetchFile) {
  const ort = await imported(await fetchFile("ort"));
  ort.env.wasm.numThreads = 1; // more need headers that static servers do not send
  ort.env.wasm.wasmBinary = await fetchFile("wasm");
  const session = await ort.InferenceSession.create(await fetchFile("model"), {
    executionProviders: ["wasm"],
    extra: {session: {disable_quant_qdq: "1"}}, // unpack the weights once, on loading
  });
  const integers = values =>
    new ort.Tensor("int64", BigInt64Array.from(values, BigInt), [values.length]);
  // touch: {off, closed, patched, patch}, each for nothing where it is not given.
  reader.run = async (output, ids, segments, chosen, touch = {}) => {
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
    const found = await session.run(inputs, [output].flat());
    return Array.isArray(output) ? found : found[output];
  };
}

const parsed = content => JSON.parse(new TextDecoder().decode(content));

// A script that was kept is imported without asking the server again.
async function imported(content) {
  const url = URL.createObjectURL(new Blob([content], {type: "text/javascript"}));
  try {
    return await import(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

let before = Promise.resolve();
self.onmessage = ({data: {number, task, question}}) => {
  before = before.then(async () => {
    try {
      postMessage({number, answer: await answer(task, question)});
    } catch (error) {
      postMessage({number, problem: sentence(error)});
    }
  });
};
