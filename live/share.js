// The link that carries a text: in the address's fragment, which no browser sends.
import {Problem} from "./model/problem.js";
import {LETTERS} from "./model/reader.js";

export function fragmentOf(kind, values) {
  return `#${new URLSearchParams({live: kind, ...values})}`;
}

// The values that a fragment carries for a widget; null where it carries none.
// fields: {name: what it may be, null for any text}. kinds: those of the page's
// widgets. What does not fit is a Problem, of the first widget where it is no one's.
export function valuesIn(fragment, kind, fields, kinds) {
  const link = new URLSearchParams(fragment.replace(/^#/, ""));
  const [named, ...more] = link.getAll("live");
  if (named === undefined) return null;
  if (kind === kinds[0]) {
    if (more.length) throw new Problem("The link names more than one widget.");
    if (!kinds.includes(named))
      throw new Problem(
        `The link is for a widget ${quoted(named)}, which is not on this page; ` +
          `here is ${kinds.map(quoted).join(", ")}.`
      );
  }
  if (named !== kind) return null;
  link.delete("live");
  for (const [name, value] of link) check(name, value, fields, link);
  return Object.fromEntries(link);
}

function check(name, value, fields, link) {
  if (!Object.hasOwn(fields, name))
    throw new Problem(
      `The link sets ${quoted(name)}, which this widget does not have.`
    );
  if (link.getAll(name).length > 1)
    throw new Problem(`The link sets ${quoted(name)} more than once.`);
  if (value.length > LETTERS)
    throw new Problem(
      `The link’s text has ${value.length.toLocaleString("en")} characters; the live ` +
        `page reads up to ${LETTERS.toLocaleString("en")}.`
    );
  const known = fields[name];
  if (known && !known.includes(value))
    throw new Problem(
      `The link’s ${name} ${quoted(value)} is not known here; there is ` +
        `${known.filter(Boolean).join(", ")}.`
    );
}

const quoted = text => `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;

// What the address sets for the widget in `place`, or null; says what does not fit.
export function linked(place, page) {
  const all = document.querySelectorAll("[data-live]");
  const kinds = Array.from(all, other => other.dataset.live);
  const said = place.querySelector(".live-link");
  said.textContent = "";
  try {
    return valuesIn(location.hash, place.dataset.live, page.fields, kinds);
  } catch (problem) {
    said.textContent = problem.message;
    return null;
  }
}
