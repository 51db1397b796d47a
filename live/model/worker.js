// Loads the tokenizer and the model and answers the page's questions, one at a time.
import {download} from "./download.js";
import {sentence} from "./problem.js";
import {tasksOf} from "./tasks.js";

let files; // of the page that loads
let come; // the bytes of each that have come

const {load, answer} = tasksOf(fetchFile, imported);

async function fetchFile(name) {
  if (files[name] instanceof Blob)
    return new Uint8Array(await files[name].arrayBuffer());
  return download(files[name], bytes => {
    come[name] = bytes;
    postMessage({come: Object.values(come).reduce((a, b) => a + b, 0)});
  });
}

async function begin(parts, described) {
  files = described;
  come = {};
  await load(parts);
}

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
      const done = task === "load" ? begin(...question) : answer(task, question);
      postMessage({number, answer: await done});
    } catch (error) {
      postMessage({number, problem: sentence(error)});
    }
  });
};
