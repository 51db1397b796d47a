// What the click brings: the loading, with its progress, and then the widget.
import {connect, newest} from "./client.js";
import {el} from "./components.js";
import {fragmentOf, valuesIn} from "./share.js";

const WIDGETS = {
  tokens: () => import("./tokens.js"),
  masked: () => import("./masked.js"),
  next: () => import("./next.js"),
  attention: () => import("./attention.js"),
  senses: () => import("./senses.js"),
};
const client = connect(
  () => new Worker(new URL("./worker.js", import.meta.url), {type: "module"})
);

// place: the widget's element. page: what the build wrote about it.
export async function start(place, page) {
  const kind = place.dataset.live;
  const button = place.querySelector(".live-start");
  const note = place.querySelector(".live-note");
  const progress = el("progress", {max: page.bytes, value: 0, "aria-label": "Loading"});
  const stop = el("button", {type: "button", onclick: client.stop}, "Stop");
  const loading = el("p", {class: "live-loading"}, progress, " ", stop);
  button.hidden = true;
  button.after(loading);
  stop.focus({preventScroll: true});
  note.setAttribute("role", "status");
  note.textContent = "Loading the live page …";
  try {
    const files = absolute(page.files);
    const [{mount}] = await Promise.all([
      WIDGETS[kind](),
      client.load(page.parts, files, bytes => (progress.value = bytes)),
    ]);
    await show(place, page, mount);
    keepPage(page).catch(() => {}); // no room, or forbidden: it needs the network again
  } catch (problem) {
    button.hidden = false;
    button.firstElementChild.focus({preventScroll: true});
    note.textContent = problem.message;
  } finally {
    loading.remove();
  }
}

// Keeps this page and its files, so that it opens again without a network.
async function keepPage({code, keeper, scripts}) {
  if (!navigator.serviceWorker) return; // there is none without https
  await navigator.serviceWorker.register(new URL(keeper, document.baseURI));
  const loaded = performance.getEntriesByType("resource").map(({name}) => name);
  const own = scripts.map(name => new URL(code + name, document.baseURI).href);
  const files = [location.href.split("#")[0], ...loaded, ...own];
  const kept = await caches.open("inside-bert-pages");
  const here = files.filter(url => url.startsWith(location.origin));
  await Promise.all([...new Set(here)].map(url => kept.add(url)));
}

function absolute(files) {
  const entries = Object.entries(files).map(([name, file]) => [
    name,
    {...file, url: new URL(file.url, document.baseURI).href},
  ]);
  return Object.fromEntries(entries);
}

async function show(place, page, mount) {
  const kind = place.dataset.live;
  const note = place.querySelector(".live-note");
  const result = place.querySelector(".live-result");
  const controls = el("div", {class: "live-controls"});
  const output = el("div", {class: "live-output"});
  const values = {...page.settings, ...valuesIn(location.hash, kind)};
  const widget = await mount({controls, values, client, changed: () => ask()});
  const complain = text => {
    output.replaceChildren();
    note.textContent = text;
  };
  const answered = (answer, ...asked) => {
    note.textContent = "";
    const shown = widget.show(answer, ...asked);
    output.replaceChildren(...shown.parts);
    note.textContent = shown.words;
  };
  const request = newest(client.ask, answered, complain);
  const ask = () => request(...widget.question());
  result.replaceChildren(controls, output);
  result.after(shareLink(kind, widget));
  controls.querySelector("textarea, select, button")?.focus({preventScroll: true});
  await ask();
}

function shareLink(kind, widget) {
  const said = el("span", {role: "status"});
  const button = el("button", {type: "button"}, "Link to this text");
  button.addEventListener("click", async () => {
    history.replaceState(null, "", fragmentOf(kind, widget.values()));
    try {
      await navigator.clipboard.writeText(location.href);
      said.textContent = " The link is copied; it also stands in the address bar.";
    } catch {
      said.textContent = " The link stands in the address bar.";
    }
  });
  return el("p", {class: "live-share"}, button, said);
}
