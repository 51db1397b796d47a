// Learns a vocabulary from a text by joining pairs, as the chapter on vocabularies does.
import {Problem} from "./problem.js";
import {requireShort} from "./reader.js";

const MARK = "##"; // before what continues a word
// What BERT sets apart before a word is cut: white space goes, each mark is a word.
const WORDS = /[!-/:-@[-`{-~\p{P}]|[^!-/:-@[-`{-~\p{P}\p{White_Space}]+/gu;

// A rule's score of a pair: how often it occurs, how often its pieces do, how many
// pieces there are, and whether it is one piece twice.
export const RULES = {
  count: n => n,
  ratio: (n, first, second) => n / (first * second),
  likelihood,
};

// By how much the log-probability of the text grows, in nats.
function likelihood(n, first, second, total, twice) {
  const of = count => (count > 0 ? count * Math.log(count) : 0);
  const other = second - (twice ? n : 0);
  const before = of(first) + of(other) - of(total);
  return of(first - n) + of(other - n) + of(n) - of(total - n) - before;
}

export const wordsOf = text => text.toLowerCase().match(WORDS) ?? [];

export const inLetters = word =>
  Array.from(word, (letter, place) => (place ? MARK + letter : letter));

export const joined = ([first, second]) => first + second.slice(MARK.length);

// The merges of a text by the count and by another rule, until each word is one piece:
// {words, rules: {rule: [{pair, n, first, second, total, score}, …]}}.
export function merges(text, rule) {
  requireShort(text);
  const words = wordsOf(text);
  if (!words.length) throw new Problem("Type a text first.");
  if (words.every(word => inLetters(word).length < 2))
    throw new Problem("There is nothing to join: type a word of two letters or more.");
  const rules = ["count", rule].map(name => [name, learn(words, RULES[name])]);
  return {words, rules: Object.fromEntries(rules)};
}

export function learn(words, rule) {
  const times = new Map();
  for (const word of words) add(times, word, 1);
  let cuts = Array.from(times, ([word, n]) => ({n, pieces: inLetters(word)}));
  const letters = Array.from(new Set(cuts.flatMap(({pieces}) => pieces)));
  // How old a piece is; the characters stand in the order of Unicode.
  const age = new Map(letters.sort(byCharacters).map((letter, at) => [letter, at]));
  const steps = [];
  for (;;) {
    const {pairs, single, total} = counted(cuts);
    if (!pairs.size) return steps;
    const best = bestOf(pairs, single, total, rule, age);
    steps.push(best);
    if (!age.has(joined(best.pair))) age.set(joined(best.pair), age.size);
    cuts = cuts.map(({n, pieces}) => ({n, pieces: withJoined(pieces, best.pair)}));
  }
}

function counted(cuts) {
  const [single, pairs] = [new Map(), new Map()];
  let total = 0;
  for (const {n, pieces} of cuts)
    pieces.forEach((piece, place) => {
      add(single, piece, n);
      total += n;
      if (place) add(pairs, `${pieces[place - 1]} ${piece}`, n);
    });
  return {single, pairs, total};
}

// The pair with the highest score; of several, that of the oldest pieces.
function bestOf(pairs, single, total, rule, age) {
  let best = null;
  for (const [key, n] of pairs) {
    const pair = key.split(" ");
    const [first, second] = pair.map(piece => single.get(piece));
    const score = rule(n, first, second, total, pair[0] === pair[1]);
    if (best && score < best.score) continue;
    const ages = pair.map(piece => age.get(piece));
    if (best && score === best.score && isOlder(best.ages, ages)) continue;
    best = {pair, n, first, second, total, score, ages};
  }
  return best;
}

const isOlder = ([a, b], [c, d]) => a < c || (a === c && b < d);

// The pieces with each of a pair's occurrences made one, from the left.
export function withJoined(pieces, [first, second]) {
  const all = [];
  for (let at = 0; at < pieces.length; at++)
    if (pieces[at] === first && pieces[at + 1] === second)
      all.push(joined([first, pieces[(at += 1)]]));
    else all.push(pieces[at]);
  return all;
}

function add(counter, key, n) {
  counter.set(key, (counter.get(key) ?? 0) + n);
}

function byCharacters(one, other) {
  const [a, b] = [Array.from(one), Array.from(other)];
  for (let at = 0; at < Math.min(a.length, b.length); at++)
    if (a[at] !== b[at]) return a[at].codePointAt(0) - b[at].codePointAt(0);
  return a.length - b.length;
}
