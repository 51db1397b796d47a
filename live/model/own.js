// A checkpoint of the reader's own, as build_tools/live/own_model.py writes it: in the
// format of safetensors, the length of a header, a header of JSON, and the parts.
import {Problem} from "./problem.js";

const FORMAT = "inside-bert-model";
const HEADER = 100_000; // bytes; a longer header is none of ours
const ROOM = 4e9; // bytes that a page can give to a model
const TIMES = 9; // what a file takes there while it is unpacked

// file: of the reader's disk. version: that of what this page asks a model.
// Returns {about, parts: {graph, tokenizer}}, the parts Blobs, which are not read yet.
export async function opened(file, version) {
  const header = await headerOf(file);
  const about = header?.__metadata__;
  if (about?.format !== FORMAT)
    throw new Problem(
      `${file.name} was not made for this page: see the command below.`
    );
  if (about.version !== version)
    throw new Problem(
      `${file.name} was made by another version of the course: make it anew.`
    );
  const {start, graph, tokenizer} = header;
  const size = start + Math.max(graph.data_offsets[1], tokenizer.data_offsets[1]);
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
  const part = ({data_offsets: [from, to]}) => file.slice(start + from, start + to);
  return {
    about: JSON.parse(about.about),
    parts: {graph: part(graph), tokenizer: part(tokenizer)},
  };
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
