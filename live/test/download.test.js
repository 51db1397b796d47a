import assert from "node:assert/strict";
import {createHash} from "node:crypto";
import {afterEach, beforeEach, test} from "node:test";
import {gzipSync} from "node:zlib";

import {download} from "../model/download.js";

const content = new TextEncoder().encode("the weights of a model");
const described = (bytes, url = "https://book/model.onnx", sent = bytes) => ({
  url,
  sent: sent.length,
  bytes: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
});
const packed = new Uint8Array(gzipSync(content));
const wasm = described(content, "https://book/ort.wasm.gz", packed);
const LOG_IN = "<!doctype html><title>Log in to the network</title>";
const before = {fetch: globalThis.fetch, caches: globalThis.caches};
let kept;
let asked;

// A server that answers every request with `body`, and a cache in memory.
function serve(body, status = 200, headers = {}) {
  globalThis.fetch = async (url, {cache}) => {
    asked.push(cache);
    return new Response(body, {status, headers});
  };
}

const fetched = (file = described(content)) => download(file, () => {});
const isRefused = (about, file) => assert.rejects(fetched(file), about);
const noNetwork = async () => Promise.reject(new TypeError("Failed to fetch"));

beforeEach(() => {
  kept = new Map();
  asked = [];
  const cache = {
    match: async url => kept.get(url)?.clone(),
    put: async (url, response) => void kept.set(url, response),
    delete: async request => kept.delete(request.url ?? request),
    keys: async () => [...kept.keys()].map(url => ({url})),
  };
  globalThis.caches = {open: async () => cache};
});

afterEach(() => Object.assign(globalThis, before));

test("a file is fetched once and kept", async () => {
  serve(content);
  const come = [];
  await download(described(content), bytes => come.push(bytes));
  globalThis.fetch = () => assert.fail("fetched again");
  assert.deepEqual(await fetched(), content);
  assert.equal(come.at(-1), content.length);
});

test("what was kept damaged is fetched again", async () => {
  kept.set("https://book/model.onnx", new Response("half"));
  serve(content);
  assert.deepEqual(await fetched(), content);
});

test("a refusal, a broken line and wrong bytes are named, and not kept", async () => {
  serve("gone", 404);
  await isRefused(/answered 404.*earlier build of the book; reload it/);
  serve("", 503);
  await isRefused(/answered 503. Try again later/);
  globalThis.fetch = noNetwork;
  await isRefused(/network/);
  const broken = new ReadableStream({
    pull: stream => stream.error(new TypeError("cut")),
  });
  serve(broken);
  await isRefused(/network/);
  serve(content.map(byte => byte ^ 1));
  await isRefused(/damaged/);
  serve(content.subarray(3));
  await isRefused(/damaged/);
  assert.equal(kept.size, 0);
});

test("without a cache, or without room in it, the file is used all the same", async () => {
  serve(content);
  globalThis.caches = undefined;
  assert.deepEqual(await fetched(), content);
  const full = {
    match: async () => undefined,
    put: async () => Promise.reject(new DOMException("full", "QuotaExceededError")),
  };
  globalThis.caches = {open: async () => full};
  assert.deepEqual(await fetched(), content);
});

test("a packed file is unpacked, also where the server has done so", async () => {
  serve(packed);
  assert.deepEqual(await fetched(wasm), content);
  kept.clear();
  serve(content);
  assert.deepEqual(await fetched(wasm), content);
});

test("what was kept in place of a packed file is thrown away", async () => {
  const others = [LOG_IN, packed.subarray(0, 20), gzipSync(LOG_IN)];
  for (const other of others) {
    kept.set(wasm.url, new Response(other));
    globalThis.fetch = noNetwork;
    await isRefused(/network/, wasm);
    assert.equal(kept.size, 0);
    serve(packed);
    assert.deepEqual(await fetched(wasm), content);
  }
});

test("what came damaged is asked for once more, past the browser's cache", async () => {
  globalThis.fetch = async (_, {cache}) =>
    new Response(cache === "reload" ? content : LOG_IN);
  assert.deepEqual(await fetched(), content);
  serve(LOG_IN, 200, {"content-type": "text/html"});
  asked = [];
  await assert.rejects(fetched(wasm));
  assert.deepEqual(asked, ["default", "reload"]);
});

test("a file is known by its digest without crypto.subtle, too", async () => {
  const {crypto} = globalThis;
  Object.defineProperty(globalThis, "crypto", {value: {}, configurable: true});
  const answer = body => {
    globalThis.fetch = async (url, options) =>
      url.startsWith("blob:") ? before.fetch(url, options) : new Response(body);
  };
  try {
    answer(content);
    assert.deepEqual(await fetched(), content);
    kept.clear();
    answer(content.map(byte => byte ^ 1));
    await isRefused(/damaged/);
  } finally {
    Object.defineProperty(globalThis, "crypto", {value: crypto, configurable: true});
  }
});
