import assert from "node:assert/strict";
import {test} from "node:test";

import {unitsOf, withMasks} from "../widgets/masked.js";

const textsOf = text => unitsOf(text).map(unit => unit.text);

test("words, marks and [MASK] are units; accents and emoji stay whole", () => {
  assert.deepEqual(textsOf("Zoe\u0308's  café, [MASK] 🦩!"), [
    "Zoe\u0308",
    "'",
    "s",
    "café",
    ",",
    "[MASK]",
    "🦩",
    "!",
  ]);
  assert.deepEqual(textsOf(" \n"), []);
});

test("hidden units become [MASK] and the rest stays as it was typed", () => {
  const text = "The  dog barked,\nloudly.";
  assert.equal(withMasks(text, new Set([1, 5])), "The  [MASK] barked,\nloudly[MASK]");
  assert.equal(withMasks(text, new Set()), text);
});
