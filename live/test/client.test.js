import assert from "node:assert/strict";
import {test} from "node:test";

import {connect, newest} from "../model/client.js";
import {sentence} from "../model/problem.js";

// A worker that keeps what it is asked; a test answers for it.
class FakeWorker {
  asked = [];
  postMessage(message) {
    this.asked.push(message);
  }
  terminate() {
    this.dead = true;
  }
}

function connected() {
  const workers = [];
  const client = connect(() => {
    workers.push(new FakeWorker());
    return workers.at(-1);
  });
  return {client, workers};
}

test("answers and problems find their questions, progress its bar", async () => {
  const {client, workers} = connected();
  const come = [];
  const loading = client.load(["tokenizer"], {}, bytes => come.push(bytes));
  const [worker] = workers;
  worker.onmessage({data: {come: 12}});
  worker.onmessage({data: {number: 1, answer: undefined}});
  await loading;
  const [first, second] = [client.ask("tokens", "a"), client.ask("tokens", "")];
  worker.onmessage({data: {number: 3, problem: "Type a text first."}});
  worker.onmessage({data: {number: 2, answer: "read"}});
  assert.equal(await first, "read");
  await assert.rejects(second, /Type a text first/);
  assert.deepEqual(come, [12]);
});

test("a stopped or broken worker fails what waits and is replaced", async () => {
  const {client, workers} = connected();
  const loading = client.load([], {}, () => {});
  client.stop();
  await assert.rejects(loading, /stopped/);
  assert.ok(workers[0].dead);
  await assert.rejects(client.ask("tokens", "a"), /not loaded/);
  const again = client.load([], {}, () => {});
  workers[1].onerror({preventDefault() {}});
  await assert.rejects(again, /could not be loaded or run/);
});

test("of many questions the first and the newest are asked", async () => {
  const asked = [];
  const shown = [];
  let answer;
  const ask = question => {
    asked.push(question);
    return new Promise(resolve => (answer = resolve));
  };
  const request = newest(ask, text => shown.push(text), assert.fail);
  const done = request("a");
  request("ab");
  request("abc");
  answer("old");
  await new Promise(setImmediate);
  answer("new");
  await done;
  assert.deepEqual(asked, ["a", "abc"]);
  assert.deepEqual(shown, ["new"]);
});

test("want of memory is said so, other mistakes by their text", () => {
  assert.match(sentence(new RangeError("Array buffer allocation failed")), /memory/);
  assert.match(sentence("out of memory"), /memory/);
  assert.match(sentence(new TypeError("x is no function")), /x is no function/);
});

test("a frame that may start no worker is told so", async () => {
  const client = connect(() => {
    throw new DOMException("refused", "SecurityError");
  });
  await assert.rejects(
    client.load([], {}, () => {}),
    /A frame with this sandbox/
  );
});
