// MathML of formulas, by the MathJax that draws them in the book's pages: reads a
// JSON list of [TeX, whether it is displayed] and writes a list of MathML.
const [, , mathjax] = process.argv;
const { readFileSync } = require("node:fs");

require(mathjax)
  .init({ loader: { load: ["input/tex"] } })
  .then((MathJax) => {
    const asked = JSON.parse(readFileSync(0, "utf-8"));
    const made = asked.map(([tex, display]) => MathJax.tex2mml(tex, { display }));
    process.stdout.write(JSON.stringify(made));
  })
  .catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
