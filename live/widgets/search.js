// Search: the book by meaning, beside the theme's own search by words.
/* global Search */
import {cosine, el, panel, textBox} from "../components.js";
import {SEARCH as LOOK} from "../looks.js";
import {LETTERS} from "../model/reader.js";

const SHOWN = 5;

export const fieldsOf = () => ({text: null});

export function mount({controls, page, changed}) {
  const text = textBox("Question", changed);
  controls.append(text.box);
  return {
    question: () => ["search", text.input.value, byWords(text.input.value)],
    values: () => ({text: text.input.value}),
    fill(values) {
      text.input.value = values.text;
    },
    show: found => ({parts: [lists(found, page.book)], words: summary(found)}),
  };
}

// What the theme's script finds, {terms, found}; null where the page has none of it, and
// `failed` where it cannot answer, as with a word that names a part of every object.
function byWords(text) {
  if (text.length > LETTERS) return {terms: [], found: []}; // it is refused anyway
  if (typeof Search === "undefined" || !Search.hasIndex()) return null;
  try {
    const asked = Search._parseQuery(text);
    const found = Search._performSearch(...asked)
      .reverse()
      .map(([page, title, anchor]) => ({page, title: plain(title), anchor}));
    return {terms: [...asked[3]], found};
  } catch {
    return {terms: [], found: [], failed: true};
  } finally {
    forgetTerms();
  }
}

// What the theme's script keeps to mark words on the page opened next: none was opened.
function forgetTerms() {
  try {
    localStorage.removeItem("sphinx_highlight_terms");
  } catch {
    // The browser keeps nothing of this site.
  }
}

// Titles hold the number of a chapter in a <span>.
const plain = title =>
  new DOMParser().parseFromString(title, "text/html").body.textContent;

function lists({meaning, words}, root) {
  const near = meaning.map(({page, anchor, title, chapter, cosine: value, excerpt}) => {
    const where = chapter === title ? cosine(value) : `${chapter}, ${cosine(value)}`;
    return entry(`${root}${page}.html#${anchor}`, title, where, excerpt);
  });
  const shown = (words?.found ?? []).slice(0, SHOWN);
  const literal = shown.map(({page, anchor, title, excerpt}) =>
    entry(`${root}${page}.html${anchor}`, title, "", excerpt)
  );
  const lacks = words?.failed ? LOOK.failed : words ? LOOK.none : LOOK.missing;
  const none = el("p", {}, lacks);
  return el(
    "div",
    {class: "live-panels"},
    panel(LOOK.meaning, el("ol", {class: "live-found"}, ...near)),
    panel(
      LOOK.words,
      literal.length ? el("ol", {class: "live-found"}, ...literal) : none
    )
  );
}

function entry(href, title, where, excerpt) {
  const parts = [el("a", {href}, title)];
  if (where) parts.push(" ", el("span", {class: "live-where"}, where));
  if (excerpt) parts.push(el("p", {}, excerpt));
  return el("li", {}, ...parts);
}

export function summary({meaning: [best], words}) {
  const near = `Nearest by meaning: “${best.title}”, cosine ${cosine(best.cosine)}.`;
  if (!words || words.failed) return near;
  const n = words.found.length;
  return `${near} ${n === 1 ? LOOK.page : `${n} ${LOOK.pages}`}`;
}
