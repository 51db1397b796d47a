// The tour: what each card says, what it lights and what it shows. Numbers and words of a
// run are computed from the reading; a sentence that need not hold is said if it does.
import {el} from "../components.js";
import {range} from "../model/numbers.js";
import {em, pathOf, quoted} from "./caption.js";
import {percent} from "./paint.js";
import {mostOf} from "./reading.js";

const code = text => el("code", {}, text);
const hued = (name, text) => el("span", {class: name}, text);
const digits = number => number.toLocaleString("en");
const byNumber = [
  "no",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];
const counted = n => byNumber[n] ?? String(n);

// at: what is lit. show: what is open, and which part of it runs. Each text is called
// with {d, b, l, h}: the readings, and the head that tells most.
export const CARDS = [
  {
    title: "One word is hidden",
    at: "sentence",
    text: () => [
      "You guessed it before you came to the full stop. BERT guesses too, and it is small enough to watch while it does. Every number here is its own.",
    ],
  },
  {
    title: "Rows, not a queue",
    at: "tokens",
    text: () => [
      "Each piece of the sentence gets a row, and all rows are worked on at the same time. ",
      code("[CLS]"),
      " and ",
      code("[SEP]"),
      " mark the two ends; the gap is the hidden word, which BERT gets to read as ",
      code("[MASK]"),
      ".",
    ],
  },
  {
    title: "A word becomes numbers",
    at: "column",
    show: {open: 0, play: [0, 1]},
    text: ({d}) => [
      `One row for the word, one for its place, one for its segment (first or second text), each of ${d.W} numbers. BERT adds the three, number by number, and brings the sum to one scale.`,
    ],
  },
  {
    title: "A line to write on",
    at: "stream",
    text: () => [
      "From here on, a row is a line. Each layer adds to it twice: first what attention found, then what the feed-forward part made of that. After each sum the norm brings it back to scale.",
    ],
  },
  {
    title: "Rows take from rows",
    at: "ribbons",
    text: ({l, d}) => [
      "Ribbons are ",
      hued("a", "attention"),
      `, the only place where rows meet. The broader the ribbon, the more a row takes. Here you see all ${d.H} heads of layer ${l}, averaged.`,
    ],
  },
  {
    title: "Many ways to look",
    at: "attention",
    show: {layer: true, play: [0, 1]},
    text({d, l, h}) {
      const best = range(d.H).map(at => mostOf(d, l, at, d.place));
      const ends = best.filter(d.special);
      const named = [...new Set(ends)].map(at => code(d.tokens[at]));
      const to = quoted(d.tokens[best[h]]);
      const rest = ends.length
        ? [
            `In ${counted(ends.length)} of them the largest weight is on `,
            ...named.flatMap((one, i) => (i ? [" or ", one] : [one])),
            `; head ${h} looks at ${to}.`,
          ]
        : [`Head ${h} looks at ${to}.`];
      return [
        `An average hides the point. Opened up, layer ${l} has ${counted(d.H)} heads, and each looks at the sentence in a way of its own. `,
        ...rest,
      ];
    },
  },
  {
    title: "A question meets every key",
    at: "scores",
    show: {layer: true, head: true, play: [0, 0.46]},
    text: ({h}) => [
      `Head ${h} asks with the `,
      hued("q", "query"),
      " of the hidden word. It is multiplied with each row’s ",
      hued("k", "key"),
      ", number by number, and the products are added up: a score.",
    ],
  },
  {
    title: "Scores become shares",
    at: "weights",
    show: {layer: true, head: true, play: [0.44, 0.7]},
    text({d, l, h}) {
      const to = mostOf(d, l, h, d.place);
      const share = percent(d.weight(l, h, d.place, to));
      return [
        `Divided by √${d.S}, for a query has ${d.S} numbers, then through softmax: all positive, and together one. The `,
        hued("a", "weight"),
        ` on ${quoted(d.tokens[to])} is ${share}.`,
      ];
    },
  },
  {
    title: "What it carries home",
    at: "values",
    show: {layer: true, head: true, play: [0.62, 1]},
    text({d, l, h}) {
      const adds = d.adds(l, h, d.place);
      const guess = quoted(d.guesses(d.L, d.place)[0][0]);
      const worth =
        adds > 0.05
          ? [
              ` Switch this head off, and the log-odds of ${guess}, log p/(1 − p), fall by ${adds.toFixed(1)}.`,
            ]
          : [];
      return [
        "Each row’s ",
        hued("v", "value"),
        " counts as much as its weight, and their sum is what the head found.",
        ...worth,
      ];
    },
  },
  {
    title: "Then each row for itself",
    at: "rest",
    show: {layer: true, play: [0, 1]},
    text: ({d, l}) => [
      `The heads’ answers are mixed and added to the line. Then the row goes through a part ${counted(Math.round(d.U / d.W))} times as wide: ${digits(d.U)} numbers, of which ${d.above(l, d.place)} are above 0 here. Back to ${d.W}, and added again.`,
    ],
  },
  {
    title: "The guess, as it forms",
    at: "lens",
    text({d}) {
      const path = pathOf(d, d.place).flatMap((word, i) =>
        i ? [", then ", em(word)] : [em(word)]
      );
      return [
        "Ask after every layer what it would say now: ",
        ...path,
        ". (What reads the guess off a line was trained on the last layer only, so early words are rough.)",
      ];
    },
  },
  {
    title: "Change one word",
    at: "all",
    show: {cmp: true},
    text({d, b}) {
      const at = d.tokens.findIndex((token, i) => token !== b.tokens[i]);
      const [one, two] = [d, b].map(view => view.guesses(d.L, d.place)[0][0]);
      const turns =
        one === two
          ? [" The guess stays ", em(one), "."]
          : [" And ", em(one), " turns into ", em(two), "."];
      return [
        `Say ${quoted(b.tokens[at])} instead of ${quoted(d.tokens[at])}. What differs lights up: one row at first, then the rows that look at it.`,
        ...turns,
        " Now it is yours: open anything, or type a sentence.",
      ];
    },
  },
];
