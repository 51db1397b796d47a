// Readings as the machine's page carries them: written when the book is built, read in
// the page. A tensor is text: each number is one of 4,324 steps of its block's largest,
// in two of 93 letters that JSON leaves as they are.
import {range, without} from "../model/numbers.js";
import {apartOf, viewOf} from "./reading.js";

const MOST = 4324;
const LETTERS = range(95)
  .map(i => String.fromCharCode(32 + i))
  .filter(letter => letter !== '"' && letter !== "\\");

export function packed(values, block) {
  const scales = [];
  let text = "";
  for (let start = 0; start < values.length; start += block) {
    const part = values.subarray(start, start + block);
    const largest = part.reduce((a, b) => Math.max(a, Math.abs(b)), 1e-9);
    const scale = Number(largest.toPrecision(6));
    scales.push(scale);
    for (const value of part) {
      const number = Math.min(2 * MOST, Math.round((value / scale) * MOST) + MOST);
      text += LETTERS[number % LETTERS.length];
      text += LETTERS[Math.floor(number / LETTERS.length)];
    }
  }
  return {block, scales, text};
}

const NUMBERS = new Map(LETTERS.map((letter, number) => [letter, number]));

export function unpacked({block, scales, text}) {
  return Float32Array.from({length: text.length / 2}, (_, i) => {
    const [low, high] = [text[2 * i], text[2 * i + 1]].map(x => NUMBERS.get(x));
    const number = low + high * LETTERS.length;
    return ((number - MOST) / MOST) * scales[Math.floor(i / block)];
  });
}

const each = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([k, v]) => [k, change(v, k)]));
const rounded = share => Number(share.toPrecision(4));
const FEW = 3; // guesses that are kept before the last layer

// The parts of a page's pair of sentences: {name: what stands in its file}. Of each text
// the keys and values of all rows, and each row's own vectors, are files of their own.
export function filesOf(number, {one, other, both}) {
  const texts = {a: one, b: other};
  const [a, b] = [one, other].map(viewOf);
  const files = {
    [`p${number}`]: {
      ...each(texts, coreOf),
      apart: apartOf(a, b).map(row => row.map(value => Number(value.toFixed(4)))),
      both: each(both, rows => rows.map(([w, p, q]) => [w, rounded(p), rounded(q)])),
    },
  };
  for (const [side, told] of Object.entries(texts)) {
    const {n, width, tensors} = told;
    const pack = values => packed(values, width);
    files[`p${number}${side}`] = {
      key: pack(tensors.key),
      value: pack(tensors.value),
    };
    const d = viewOf(told);
    for (const i of range(n))
      files[`p${number}${side}${i}`] = each(d.rows(i), (values, name) =>
        packed(values, name === "wide" ? told.units : width)
      );
  }
  return files;
}

function coreOf(told) {
  const {tensors, adds, guesses} = told;
  const plain = without(told, "vectors", "shares", "tensors", "adds", "guesses");
  const {n, layers} = plain;
  const few = without(tensors, "query", "key", "value");
  const short = rows =>
    rows.map((row, k) =>
      row
        .slice(0, k < layers ? FEW : 10)
        .map(([piece, share]) => [piece, rounded(share)])
    );
  return {
    ...plain,
    tensors: each(few, (values, name) => packed(values, name === "scores" ? n * n : n)),
    adds: each(adds, values => packed(values, values.length)),
    guesses: each(guesses, short),
  };
}

// A reading without vectors, of what `coreOf` gave.
export function readingOf(core) {
  return {
    ...core,
    tensors: each(core.tensors, unpacked),
    adds: each(core.adds, unpacked),
  };
}

// The files of the page, as scripts that put what they hold into `machineParts`: so they
// load from a disk too. folder: their address. Returns load(name): a promise.
export function loader(folder) {
  const parts = (globalThis.machineParts ??= {});
  const coming = new Map();
  const fetched = name =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${folder}${name}.js`;
      script.onload = () => resolve(parts[name]);
      script.onerror = () => {
        coming.delete(name);
        script.remove();
        reject(
          new Error(
            "A part of the page could not be fetched. Is the network there? Then try again."
          )
        );
      };
      document.head.append(script);
    });
  return name => {
    if (name in parts) return Promise.resolve(parts[name]);
    if (!coming.has(name)) coming.set(name, fetched(name));
    return coming.get(name);
  };
}

// The pairs of the page: pair(number) => {a, b, apart, both}, the texts as views that
// `fill` (d, row) completes when a part of them opens.
export function pairsOf(load) {
  const known = new Map();
  const named = new Map(); // a view => the name of its files
  async function pair(number) {
    if (known.has(number)) return known.get(number);
    const {apart, both, ...cores} = await load(`p${number}`);
    const made = {apart, both};
    for (const side of ["a", "b"]) {
      made[side] = viewOf(readingOf(cores[side]));
      named.set(made[side].told, `p${number}${side}`);
    }
    known.set(number, made);
    return made;
  }
  async function fill(d, row) {
    const name = named.get(d.told);
    if (d.ready(row) || !name) return;
    const [all, own] = await Promise.all([load(name), load(`${name}${row}`)]);
    Object.assign(d.told.tensors, each(all, unpacked));
    d.give(row, each(own, unpacked));
  }
  return {pair, fill};
}
