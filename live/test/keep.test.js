import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {afterEach, beforeEach, test} from "node:test";
import vm from "node:vm";

const ROOT = "https://book";
const WORKER = readFileSync(new URL("../service-worker.js", import.meta.url), "utf-8");
const before = {fetch: globalThis.fetch, caches: globalThis.caches};
let stores; // name -> address -> body
let site; // address -> body, or a status

const addressOf = request => new URL(request.url ?? request, ROOT).href;

function cacheOf(store) {
  const bare = address => address.split("?")[0];
  return {
    async match(request, {ignoreSearch} = {}) {
      const same = ignoreSearch ? bare : address => address;
      const wanted = same(addressOf(request));
      const found = [...store.keys()].find(address => same(address) === wanted);
      return found && new Response(store.get(found));
    },
    put: async (url, response) => void store.set(addressOf(url), await response.text()),
    delete: async url => store.delete(addressOf(url)),
    keys: async () => [...store.keys()].map(url => ({url})),
  };
}

async function fromSite(request) {
  const body = site[addressOf(request)];
  if (body === undefined) throw new TypeError("no network");
  return typeof body === "number"
    ? new Response("", {status: body})
    : new Response(body);
}

beforeEach(() => {
  stores = {};
  globalThis.caches = {open: async name => cacheOf((stores[name] ??= new Map()))};
  globalThis.fetch = fromSite;
  globalThis.document = {baseURI: `${ROOT}/`};
  Object.defineProperty(globalThis, "navigator", {
    value: {serviceWorker: {register: async () => {}}},
    configurable: true,
  });
  performance.getEntriesByType = () => [];
});

afterEach(() => Object.assign(globalThis, before));

let tabs = 0;
const openTab = () => import(`../keep.js?tab=${(tabs += 1)}`);

// Opens a page of a build: its one script and its model are those of the build.
async function keep(name, build, files = []) {
  const {keepPage, note} = await openTab();
  const model = `${ROOT}/model-${build}.onnx`;
  globalThis.location = {origin: ROOT, pathname: `/${name}.html`};
  site = {
    [`${ROOT}/${name}.html`]: `data-page="live/${build}/"`,
    [`${ROOT}/live/${build}/start.js`]: build,
  };
  for (const file of files) await note([file]); // of another widget of the page
  await note([model]);
  stores["inside-bert-live"] ??= new Map();
  stores["inside-bert-live"].set(model, "weights");
  const page = {code: `live/${build}/`, serviceWorker: "sw.js", scripts: ["start.js"]};
  await keepPage(page);
}

const names = store => [...stores[store].keys()].map(url => url.slice(ROOT.length + 1));

test("a page of an earlier build keeps its model until it is opened anew", async () => {
  await keep("one", "old");
  await keep("two", "old");
  await keep("one", "new");
  const all = ["two.html", "live/old/start.js", "live/new/start.js", "one.html"];
  assert.deepEqual(names("inside-bert-pages").sort(), all.sort());
  assert.deepEqual(names("inside-bert-live"), ["model-old.onnx", "model-new.onnx"]);
  await keep("two", "new");
  const now = ["one.html", "two.html", "live/new/start.js"];
  assert.deepEqual(names("inside-bert-pages").sort(), now.sort());
  assert.deepEqual(names("inside-bert-live"), ["model-new.onnx"]);
});

test("what another tab is loading is not forgotten", async () => {
  globalThis.location = {origin: ROOT, pathname: "/search.html"};
  await (await openTab()).note([`${ROOT}/search-1.json`]);
  stores["inside-bert-live"] = new Map([[`${ROOT}/search-1.json`, "{}"]]);
  await keep("one", "new");
  assert.deepEqual(names("inside-bert-live"), ["search-1.json", "model-new.onnx"]);
});

test("a page keeps the files of all its widgets", async () => {
  const maps = `${ROOT}/maps-1.json`;
  stores["inside-bert-live"] = new Map([[maps, "{}"]]);
  await keep("one", "new", [maps]);
  assert.deepEqual(names("inside-bert-live"), ["maps-1.json", "model-new.onnx"]);
});

test("a page that was built anew meanwhile is not kept with old scripts", async () => {
  await keep("one", "old");
  const page = {code: "live/older/", serviceWorker: "sw.js", scripts: []};
  await (await openTab()).keepPage(page);
  assert.deepEqual(names("inside-bert-live"), ["model-old.onnx"]);
  assert.equal(stores["inside-bert-pages"].size, 2);
});

// What the service worker answers to a request.
async function answered(url, mode) {
  const heard = {};
  const self = {
    addEventListener: (name, listener) => (heard[name] = listener),
    registration: {scope: `${ROOT}/`},
  };
  vm.runInNewContext(WORKER, {self, fetch: fromSite, caches: globalThis.caches});
  let answer;
  const request = {method: "GET", url: `${ROOT}/${url}`, mode};
  heard.fetch({request, respondWith: given => (answer = given)});
  const response = await answer;
  return response.status === 200 ? response.text() : response.status;
}

test("the service worker answers with what was kept where the book does not", async () => {
  await keep("one", "old");
  const script = "live/old/start.js";
  for (const failing of [{}, {[`${ROOT}/one.html`]: 503, [`${ROOT}/${script}`]: 500}]) {
    site = failing;
    assert.match(await answered("one.html?highlight=x", "navigate"), /live.old/);
    assert.equal(await answered(script, "cors"), "old");
  }
  site = {[`${ROOT}/one.html`]: "fresh", [`${ROOT}/other.js`]: 503};
  assert.equal(await answered("one.html", "navigate"), "fresh");
  assert.equal(await answered("other.js", "cors"), 503);
  site = {[`${ROOT}/one.html`]: 404, [`${ROOT}/${script}`]: 404};
  assert.equal(await answered("one.html", "navigate"), 404);
  assert.equal(await answered(script, "cors"), "old");
  site = {};
  for (const build of ["old", "new"])
    stores["inside-bert-pages"].set(`${ROOT}/theme.js?v=${build}`, build);
  assert.equal(await answered("theme.js?v=new", "cors"), "new");
  await assert.rejects(answered("other.js", "cors"), /no network/);
});
