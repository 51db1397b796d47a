// A sentence of the reader's own: the headline becomes a form, and the model loads.
import {keepPage, note} from "../keep.js";
import {connect, newest} from "../model/client.js";
import {megabytes, opened, saidOf, tried} from "../model/own.js";
import {Problem} from "../model/problem.js";
import {formOf} from "./form.js";
import {apartOf, viewOf} from "./reading.js";

const MOST = {layers: 12, heads: 16}; // that are drawn
const $ = query => document.querySelector(query);
const PAUSE = 500; // ms
const COURSE = "the course model";

const absolute = files =>
  Object.fromEntries(
    Object.entries(files).map(([name, file]) => [
      name,
      {...file, url: new URL(file.url, document.baseURI).href},
    ])
  );

export function ownOf(m) {
  const {page, s, act} = m;
  const files = absolute(page.files);
  const code = new URL(page.code, document.baseURI).href;
  const connected = () =>
    connect(() => new Worker(`${code}model/worker.js`, {type: "module"}));
  let client = null; // of the model that runs
  let course = null;
  let about = null; // a checkpoint of the reader's, or null
  let later = null; // what is to be opened with the next reading
  let timer = 0;
  const form = formOf({load, stop: () => course?.stop(), typed, open: openFile, back});
  const ask = newest((...question) => client.ask(...question), show, form.complain);

  function begin(text, other, state = null) {
    const {full, other: second} = m;
    if (s.touring >= 0) m.tour.leave();
    form.fill(text ?? full.told.text, other ?? second?.told.text ?? "", !text);
    later = state;
    s.pair = m.OWN;
    Object.assign(s, {cmp: false, waits: false});
    m.say();
    form.focus();
    typed();
  }

  // What is shown in the headline's place.
  function say() {
    form.ready(Boolean(client), about?.name ?? COURSE, megabytes(page.bytes));
    const place = $("#sentence");
    if (!place.contains(form.box)) place.replaceChildren(form.box);
    form.compare(client && m.pair ? s : null, act.compare);
  }

  async function load(progress) {
    if (location.protocol === "file:")
      throw new Problem(
        "A page opened from a file may load no model. Serve the folder: make serve."
      );
    await note(Object.values(files).map(({url}) => url)).catch(() => {}); // no https
    course = connected();
    await course.load(page.parts, files, progress);
    client = course;
    say();
    typed();
    keepPage(page).catch(() => {}); // no room, or forbidden: needs the network again
  }

  function typed(piece = null) {
    m.address.note();
    const {text, other} = form.values();
    if (!client) return form.stale(text === m.full.told.text ? null : m.full.told.text);
    form.busy();
    ask("whole", text, other, piece);
  }

  function show({one, other, unequal, both}) {
    if (about) one.adds = null; // a run for each head takes too long
    const [a, b] = [one, other].map(told => told && viewOf(told));
    const pair = b ? {apart: apartOf(a, b), both} : null;
    if (!pair) Object.assign(s, {cmp: false, waits: false});
    Object.assign(s, {open: Math.min(s.open, a.L)});
    if (s.head !== null && s.head >= a.H) Object.assign(s, {head: null, inHead: false});
    if (s.pair !== m.OWN) return; // the reader has gone on
    act.set(a, b, pair, a.place);
    form.said(
      unequal
        ? `The second text has ${unequal[1]} pieces, the first ${unequal[0]}: only texts of as many pieces can be laid over each other.`
        : ""
    );
    if (later) m.address.set(later);
    later = null;
    act.changed(0);
    m.paint();
    needAdds();
  }

  // What each head adds takes a run for each: of the open layer alone, and not while
  // the reader types.
  function needAdds() {
    clearTimeout(timer);
    timer = setTimeout(askAdds, PAUSE);
  }

  async function askAdds() {
    const {d, full} = m;
    const [place, l] = [d.kept ? d.kept[s.row] : s.row, s.open - 1];
    if (s.pair !== m.OWN || !client || about || l < 0) return;
    if (full.adds(l, 0, place) !== null) return;
    try {
      const found = (await client.ask("adds", full.told.text, [place], l))[place];
      const before = (full.told.adds[place] ??= found);
      found.forEach((value, at) => !Number.isNaN(value) && (before[at] = value));
      if (m.full === full) act.changed(0);
    } catch {
      // The text was changed for one that cannot be asked.
    }
  }

  async function openFile(file, signal) {
    const {about: told, parts} = await opened(file, page.opens);
    for (const [name, most] of Object.entries(MOST))
      if (told[name] > most)
        throw new Problem(
          `${told.name} has ${told[name]} ${name}; this page draws up to ${most}.`
        );
    signal.throwIfAborted();
    const next = connected();
    signal.onabort = next.stop; // also where it never ends
    try {
      await next.load(
        page.parts,
        {...files, model: parts.graph, tokenizer: parts.tokenizer},
        () => {}
      );
      await tried(next.ask, told, file.name);
    } catch (problem) {
      next.stop();
      throw signal.aborted ? signal.reason : problem;
    }
    signal.onabort = null;
    use(next, told);
    return saidOf(told, file.size);
  }

  function use(next, told) {
    if (client !== course) client.stop();
    client = next;
    about = told;
    say();
    typed();
  }

  async function back() {
    use(course, null);
  }

  // Guesses of a piece that the model was not asked for.
  return {begin, say, needAdds, want: place => typed(place), texts: form.values};
}
