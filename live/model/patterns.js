// The patterns of the chapter on attention heads on one text, and the head that shows one most.
import {wordsOf} from "./reader.js";

const SPECIAL = new Set(["[CLS]", "[SEP]", "[PAD]"]);
const WORD = /^[\p{L}\p{N}]+$/u;

// Where each pattern says that tokens look: {pattern: [[j, …] for each token i]}.
export function targetsOf({tokens, segments}) {
  const owners = [];
  const spelled = [];
  wordsOf(tokens).forEach((places, word) => {
    const joined = places.map(place => tokens[place].replace(/^##/, "")).join("");
    for (const place of places) {
      owners[place] = word;
      spelled[place] = joined.toLowerCase();
    }
  });
  const inText = tokens.map(token => !SPECIAL.has(token));
  const isWord = spelled.map((word, i) => inText[i] && WORD.test(word));
  const same = (i, j) =>
    isWord[i] && isWord[j] && owners[i] !== owners[j] && spelled[i] === spelled[j];
  const patterns = {
    "next word": (i, j) => j === i + 1 && inText[i] && inText[j],
    "previous word": (i, j) => j === i - 1 && inText[i] && inText[j],
    "same word": same,
    "same word, other sentence": (i, j) => same(i, j) && segments[i] !== segments[j],
    delimiter: (i, j) => inText[i] && !inText[j],
  };
  const places = tokens.map((_, place) => place);
  return Object.fromEntries(
    Object.entries(patterns).map(([name, looks]) => [
      name,
      places.map(i => places.filter(j => looks(i, j))),
    ])
  );
}

// The head whose tokens put most weight on their targets: {layer, head, score}, or
// null where no token has a target.
export function strongest({layers, heads, tokens, weights}, targets) {
  const rows = targets.filter(places => places.length).length;
  if (!rows) return null;
  const n = tokens.length;
  let best = {score: -1};
  for (let layer = 0; layer < layers; layer++)
    for (let head = 0; head < heads; head++) {
      const start = (layer * heads + head) * n * n;
      let total = 0;
      targets.forEach((places, i) => {
        for (const j of places) total += weights[start + i * n + j];
      });
      if (total / rows > best.score) best = {layer, head, score: total / rows};
    }
  return best;
}

// The (n, n) weights of one head.
export function headOf({heads, tokens, weights}, layer, head) {
  const size = tokens.length ** 2;
  const start = (layer * heads + head) * size;
  return weights.subarray(start, start + size);
}

// What one head looks at most, in a sentence.
export function describe({tokens}, weights, layer, head) {
  const n = tokens.length;
  const isWord = tokens.map(token => WORD.test(token.replace(/^##/, "")));
  const links = [];
  let onSpecial = 0;
  weights.forEach((weight, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    if (SPECIAL.has(tokens[j])) onSpecial += weight / n;
    if (isWord[i] && isWord[j]) links.push([weight, tokens[i], tokens[j]]);
  });
  links.sort((a, b) => b[0] - a[0]);
  const said = links
    .slice(0, 3)
    .map(([weight, from, to]) => `${from} → ${to} ${weight.toFixed(2)}`);
  const strongest = said.length
    ? `the strongest links between words are ${said.join(", ")}; `
    : "";
  return (
    `Layer ${layer}, head ${head}: ${strongest}` +
    `[CLS] and [SEP] get ${(100 * onSpecial).toFixed(0)} % of the attention.`
  );
}
