// A checkpoint of the reader's own, as build_tools/live/own_model.py writes it: in the
// format of safetensors, the length of a header, a header of JSON, and the parts.
import {hasDigest} from "./download.js";
import {Problem} from "./problem.js";
import {LONGEST} from "./reader.js";

const FORMAT = "inside-bert-model";
const HEADER = 100_000; // bytes; a longer header is none of ours
const ROOM = 4e9; // bytes that a page can give to a model
const PARTS = ["graph", "tokenizer"];
const SIZES = ["layers", "heads", "width", "pieces"];
const MAY_LACK = ["mlm", "nsp", "pooler"];
const TEXTS = ["A cat sat on the [MASK].", "Café 中, no. 3?"];
const TIMES = 9; // what a file takes there while it is unpacked

// file: of the reader's disk. version: that of what this page asks a model.
// Returns {about, parts: {graph, tokenizer}}, the parts Blobs, which are not read yet.
export async function opened(file, version) {
  const header = await headerOf(file);
  const told = header?.__metadata__;
  if (told?.format !== FORMAT)
    throw new Problem(
      `${file.name} was not made for this page: see the command above.`
    );
  if (told.version !== version)
    throw new Problem(
      `${file.name} was made by another version of the course: make it anew.`
    );
  const about = aboutOf(told.about);
  const places = PARTS.map(name => placeOf(header[name]));
  if (!about || !places.every(Boolean))
    throw new Problem(`${file.name} does not say what it holds: make it anew.`);
  const {start} = header;
  const size = start + Math.max(...places.map(([, to]) => to));
  if (file.size !== size)
    throw new Problem(
      `${file.name} is not whole: ${megabytes(file.size)} of ${megabytes(size)} are ` +
        "there. Copy it again."
    );
  if (TIMES * size > ROOM)
    throw new Problem(
      `${file.name} is too large: unpacked it takes about ${megabytes(TIMES * size)}, ` +
        `and a page has ${megabytes(ROOM)} at most.`
    );
  const parts = {};
  for (const [n, name] of PARTS.entries()) {
    const [from, to] = places[n];
    parts[name] = file.slice(start + from, start + to);
    const content = new Uint8Array(await parts[name].arrayBuffer());
    if (!(await hasDigest(content, told[`sha256 of ${name}`])))
      throw new Problem(`${file.name} is damaged in its ${name}: copy it again.`);
  }
  return {about, parts};
}

// What a file says of its model; null where that is not what a page shows.
function aboutOf(text) {
  try {
    const {name, missing, ...sizes} = JSON.parse(text);
    const whole = SIZES.every(key => Number.isInteger(sizes[key]) && sizes[key] > 0);
    const heads = missing.every(part => MAY_LACK.includes(part));
    const texts = [name, sizes.account ?? ""].every(text => typeof text === "string");
    return whole && heads && texts ? {name, missing, ...sizes} : null;
  } catch {
    return null;
  }
}

// Where a part lies, [from, to]; null where the header does not say so.
function placeOf(part) {
  const [from, to] = part?.data_offsets ?? [];
  const numbers = Number.isSafeInteger(from) && Number.isSafeInteger(to);
  return numbers && from >= 0 && to > from ? [from, to] : null;
}

// Reads two texts with an opened model, before it takes the place of another.
// ask: of its client. Throws a Problem where it is not what it says, or gives no numbers.
export async function tried(ask, about, name) {
  for (const text of TEXTS) {
    const {one} = await ask("whole", text, "", null).catch(({message}) => {
      throw new Problem(`${name} cannot read “${text}”. ${message}`);
    });
    if (["layers", "heads", "width"].some(key => one[key] !== about[key]))
      throw new Problem(`${name} is another model than it says: make it anew.`);
    const guesses = Object.values(one.guesses).flat(2);
    if (!guesses.every(([piece]) => typeof piece === "string"))
      throw new Problem(`The tokenizer of ${name} lacks pieces of its model.`);
    const numbers = [guesses.map(([, share]) => share), one.vectors.states];
    if (!numbers.every(row => row.every(Number.isFinite)))
      throw new Problem(`${name} gives no numbers: its weights are nan or infinite.`);
  }
}

// The header and where the parts start; null where there is none.
async function headerOf(file) {
  try {
    const length = await file.slice(0, 8).arrayBuffer();
    const start = 8 + Number(new DataView(length).getBigUint64(0, true));
    if (start > HEADER) return null;
    return {...JSON.parse(await file.slice(8, start).text()), start};
  } catch {
    return null;
  }
}

export const megabytes = size => `${(size / 1e6).toFixed(1)} MB`;

const UNGUESSED = " It has no head for masked words: “?” stands for each guess.";

// What the page says of a file that is open, its size in bytes.
export function saidOf(about, bytes) {
  const size = [`${about.layers} layers of ${about.heads} heads`];
  size.push(`${about.width} wide`, `${about.pieces.toLocaleString("en")} pieces`);
  return (
    `${about.name}: ${size.join(", ")}; ${megabytes(bytes)}, read from your disk, ` +
    `nothing was sent. It reads texts of up to ${LONGEST} pieces. What each head adds ` +
    `to the guess is not computed.${about.missing.includes("mlm") ? UNGUESSED : ""}` +
    (about.account ? ` Of its checkpoint: ${about.account}.` : "")
  );
}
