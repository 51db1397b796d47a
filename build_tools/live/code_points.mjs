// Which pieces the page's tokenizer makes of each character, as Node's Unicode has it.
// node code_points.mjs < {tokenizer, points} > [pieces of a point between two letters, …]
import {readFileSync} from "node:fs";

import {Tokenizer} from "../../node_modules/@huggingface/tokenizers/dist/tokenizers.mjs";
import {asPython} from "../../live/model/reader.js";

const AT_ONCE = 500;
const BETWEEN = "zebra"; // a piece of its own, that no character adds to
const {tokenizer: settings, points} = JSON.parse(readFileSync(0, "utf8"));
const tokenizer = new Tokenizer(settings, {});
const found = [];
for (let start = 0; start < points.length; start += AT_ONCE) {
  const some = points.slice(start, start + AT_ONCE);
  const words = some.map(point => `a${String.fromCodePoint(point)}b`);
  const pieces = tokenizer.tokenize(asPython(words.join(` ${BETWEEN} `)));
  found.push(...pieces.join(" ").split(` ${BETWEEN} `));
}
const unknown = points.filter(point => /\p{Cn}/u.test(String.fromCodePoint(point)));
console.log(JSON.stringify({found, unknown}));
