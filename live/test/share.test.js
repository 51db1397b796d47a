import assert from "node:assert/strict";
import {test} from "node:test";

import {fragmentOf, valuesIn} from "../share.js";

const fields = {text: null, word: ["crane", "field"]};
const read = (fragment, kinds = ["senses"]) =>
  valuesIn(fragment, "senses", fields, kinds);

test("any text comes back from a fragment, for its own widget only", () => {
  const text = "50 % of “a&b=c” #1 <b> 🦩\n[MASK]";
  const fragment = fragmentOf("masked", {text});
  const both = ["masked", "tokens"];
  assert.deepEqual(valuesIn(fragment, "masked", fields, both), {text});
  assert.equal(valuesIn(fragment, "tokens", fields, both), null);
  assert.equal(valuesIn("#exercise-6-1", "masked", fields, both), null);
});

test("a link that does not fit is named", () => {
  const refused = {
    "#live=senses&word=dog&text=the+dog":
      /“dog” is not known here; there is crane, field/,
    "#live=senses&word=crane&word=field": /sets “word” more than once/,
    "#live=senses&live=masked": /more than one widget/,
    "#live=masked&text=a": /“masked”, which is not on this page; here is “senses”/,
    "#live=senses&__proto__=a": /sets “__proto__”/,
    "#live=senses&choose=true": /sets “choose”/,
    [`#live=senses&text=${"x".repeat(2001)}`]: /2,001 characters; .* up to 2,000/,
    [`#live=${"x".repeat(10_000)}`]: /“x{40}…”/,
  };
  for (const [fragment, about] of Object.entries(refused))
    assert.throws(() => read(fragment), about);
});

test("a wrong widget is named once on a page, by its first widget", () => {
  assert.equal(read("#live=none", ["masked", "senses"]), null);
  assert.throws(() => read("#live=none", ["senses", "masked"]), /“none”/);
});
