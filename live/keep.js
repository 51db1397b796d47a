// Keeps pages and what they load, to be opened without a network, and forgets what no
// kept page needs any more.

const PAGES = "inside-bert-pages"; // what the service worker answers with
const FILES = "inside-bert-live"; // what download.js keeps
const NEEDS = "inside-bert-needs"; // for each page, the addresses that it needs

const here = () => location.origin + location.pathname;
const noted = new Set(); // the files of all widgets that run in this page

// Called before files are loaded, so that no other tab forgets them meanwhile.
export async function note(files) {
  for (const url of files) noted.add(url);
  const needs = await caches.open(NEEDS);
  await needs.put(here(), listed([...(await needsOf(needs, here())), ...noted]));
}

// Keeps this page, its scripts and what was noted.
export async function keepPage({code, serviceWorker, scripts}) {
  await navigator.serviceWorker.register(new URL(serviceWorker, document.baseURI));
  const loaded = performance.getEntriesByType("resource").map(({name}) => name);
  const own = scripts.map(name => new URL(code + name, document.baseURI).href);
  const parts = new Set([...loaded, ...own]);
  parts.delete(here());
  const inside = [...parts].filter(url => url.startsWith(location.origin));
  const page = await fetch(here());
  if (!(await page.clone().text()).includes(code)) return; // built anew meanwhile
  const pages = await caches.open(PAGES);
  const keep = async (url, response) => {
    if (response.ok) await pages.put(url, response);
  };
  await Promise.all(inside.map(async url => keep(url, await fetch(url))));
  await keep(here(), page);
  const needs = await caches.open(NEEDS);
  await needs.put(here(), listed([here(), ...inside, ...noted]));
  await forget(needs);
}

async function forget(needs) {
  const lists = (await needs.keys()).map(({url}) => needsOf(needs, url));
  const needed = new Set((await Promise.all(lists)).flat());
  for (const name of [PAGES, FILES]) {
    const kept = await caches.open(name);
    for (const {url} of await kept.keys()) if (!needed.has(url)) await kept.delete(url);
  }
}

const listed = urls => new Response(JSON.stringify(urls));
const needsOf = async (needs, url) => (await (await needs.match(url))?.json()) ?? [];
