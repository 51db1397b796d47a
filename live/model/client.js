// The page's end of the line to the worker.
import {Problem} from "./problem.js";

// makeWorker: () => Worker. Returns {ask, load, stop}; a worker that dies or is stopped
// is replaced when it is next asked to load.
export function connect(makeWorker) {
  let worker = null;
  let number = 0;
  let told = () => {};
  const waiting = new Map(); // number -> {resolve, reject}

  function fail(text) {
    worker?.terminate();
    worker = null;
    for (const {reject} of waiting.values()) reject(new Problem(text));
    waiting.clear();
  }

  function open() {
    try {
      worker = makeWorker();
    } catch (problem) {
      if (problem.name !== "SecurityError") throw problem;
      throw new Problem(
        "A frame with this sandbox may load no model. Open the page by itself."
      );
    }
    worker.onerror = event => {
      event.preventDefault?.();
      fail("The live page stopped: its scripts could not be loaded or run. Try again.");
    };
    worker.onmessage = ({data}) => {
      if ("come" in data) return told(data.come);
      const {resolve, reject} = waiting.get(data.number);
      waiting.delete(data.number);
      if ("problem" in data) reject(new Problem(data.problem));
      else resolve(data.answer);
    };
  }

  function ask(task, ...question) {
    if (!worker) return Promise.reject(new Problem("The live page is not loaded."));
    number += 1;
    worker.postMessage({number, task, question});
    return new Promise((resolve, reject) => waiting.set(number, {resolve, reject}));
  }

  return {
    ask,
    // tell: called with the bytes that have come.
    async load(parts, files, tell) {
      if (!worker) open();
      told = tell;
      return ask("load", parts, files);
    },
    stop: () => fail("Loading was stopped."),
  };
}

// Asks one question at a time and drops those that a newer one has overtaken.
export function newest(ask, show, complain) {
  let busy = false;
  let next = null;
  return async (...question) => {
    next = question;
    if (busy) return;
    busy = true;
    while (next) {
      const asked = next;
      next = null;
      try {
        const answer = await ask(...asked);
        if (!next) show(answer, ...asked);
      } catch (problem) {
        if (!next) complain(problem.message);
      }
    }
    busy = false;
  };
}
