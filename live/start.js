// What the click brings: the loading, with its progress, and then the widget.
import {el} from "./components.js";
import {keepPage, note} from "./keep.js";
import {connect, newest} from "./model/client.js";
import {sentence} from "./model/problem.js";
import {fragmentOf, linked} from "./share.js";

const client = connect(
  () => new Worker(new URL("./model/worker.js", import.meta.url), {type: "module"})
);

// place: the widget's element. page: what the build wrote about it. progress: its bar.
// signal: aborts the loading. script: imports another script of the live page.
export async function start(place, page, {progress, signal, script}) {
  const files = absolute(page.files);
  const urls = Object.values(files).map(({url}) => url);
  await note(urls).catch(() => {}); // nothing is kept without https
  signal.throwIfAborted();
  signal.addEventListener("abort", client.stop);
  const [widget] = await Promise.all([
    script(`widgets/${place.dataset.live}.js`),
    client.load(page.parts, files, bytes => (progress.value = bytes)),
  ]);
  await show(place, widget, page, linked(place, page));
  signal.removeEventListener("abort", client.stop);
  keepPage(page).catch(() => {}); // no room, or forbidden: needs the network again
}

function absolute(files) {
  const entries = Object.entries(files).map(([name, file]) => [
    name,
    {...file, url: new URL(file.url, document.baseURI).href},
  ]);
  return Object.fromEntries(entries);
}

// Runs a widget in its place. given: what it is filled with beside the page's settings.
async function show(place, {mount}, page, given) {
  const note = place.querySelector(".live-note");
  const result = place.querySelector(".live-result");
  const controls = el("div", {class: "live-controls"});
  const output = el("div", {class: "live-output"});
  const typed = () => {
    place.querySelector(".live-link").textContent = ""; // of a link that did not fit
    ask();
  };
  const widget = await mount({controls, page, client, changed: typed});
  const tell = (parts, words) => {
    output.removeAttribute("aria-busy");
    output.replaceChildren(...parts);
    note.textContent = words;
  };
  const complain = text => tell([], text);
  const answered = (answer, ...asked) => {
    const {parts, words} = widget.show(answer, ...asked);
    tell(parts, words);
  };
  const request = newest(client.ask, answered, complain);
  const ask = () => {
    output.setAttribute("aria-busy", "true"); // what stands there answers another text
    try {
      request(...widget.question());
    } catch (problem) {
      complain(sentence(problem));
    }
  };
  const fill = values => {
    widget.fill({...page.settings, ...values});
    ask();
  };
  result.replaceChildren(controls, output);
  result.after(shareLink(place.dataset.live, widget));
  controls
    .querySelector("textarea, input, select, button")
    ?.focus({preventScroll: true});
  fill(given);
  const follow = () => {
    const values = linked(place, page);
    if (values) fill(values);
  };
  window.addEventListener("hashchange", follow);
}

function linkSaid(copied, shown) {
  if (copied)
    return (
      " The link is copied" + (shown ? "; it also stands in the address bar." : ".")
    );
  if (shown) return " The link stands in the address bar.";
  return " This browser lets the page neither copy the link nor show it.";
}

// Whether it did; a browser may refuse the clipboard, or many addresses in a row.
async function worked(act) {
  try {
    await act();
    return true;
  } catch {
    return false;
  }
}

function shareLink(kind, widget) {
  const said = el("span", {role: "status"});
  const button = el("button", {type: "button"}, widget.link ?? "Link to this text");
  button.addEventListener("click", async () => {
    const link = new URL(fragmentOf(kind, widget.values()), location).href;
    const shown = await worked(() => history.replaceState(null, "", link));
    const copied = await worked(() => navigator.clipboard.writeText(link));
    said.textContent = linkSaid(copied, shown);
  });
  return el("p", {class: "live-share"}, button, said);
}
