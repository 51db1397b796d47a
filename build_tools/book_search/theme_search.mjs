// Asks Sphinx's own search, as the built book has it: questions in, results out (JSON).
// node theme_search.mjs FOLDER < questions
import {readFileSync} from "node:fs";
import {join} from "node:path";
import vm from "node:vm";

const [folder] = process.argv.slice(2);
const questions = JSON.parse(readFileSync(0, "utf8"));
const page = vm.createContext({
  document: {getElementById: () => null},
  SPHINX_HIGHLIGHT_ENABLED: false,
  _ready: () => {},
  _: text => text,
});
for (const name of ["_static/language_data.js", "_static/searchtools.js", "searchindex.js"])
  vm.runInContext(readFileSync(join(folder, name), "utf8"), page, {filename: name});
const ask = vm.runInContext(
  `question => {
    const asked = Search._parseQuery(question);
    // As the page of results shows them: the last one first.
    const found = Search._performSearch(...asked).reverse();
    return {terms: [...asked[3]], found: found.map(([page, title, anchor]) =>
      ({page, anchor, title: title.replace(/<[^>]*>/g, "")}))};
  }`,
  page
);
const found = questions.map(question => ask(question));
console.log(JSON.stringify(found));
