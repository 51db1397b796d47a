// Step by step: a sentence of the reader's own for the machine that stands in the page.
import {el, textBoxes} from "../components.js";
import {STEPS as LOOK} from "../looks.js";
import {card} from "../machine/card.js";
import {map} from "../machine/map.js";
import {fromPage, tellingHead, toPage} from "../machine/reading.js";
import {viewOf} from "../machine/views.js";
import {Problem} from "../model/problem.js";
import {range} from "../model/numbers.js";

const names = Object.keys(LOOK.steps);

// The whole settings of a widget from its texts: what tells most stands first.
export async function settingsOf({text, other = ""}, ask) {
  const found = await ask("steps", text, other, null);
  const {piece, layers, heads} = found;
  return {text, other, step: names[0], piece, ...tellingHead(found), layers, heads};
}

// A step, a piece, a layer and a head, as many as the model has.
export function fieldsOf({layers, heads}) {
  const free = {text: null, other: null, piece: null};
  return {
    ...free,
    step: names,
    layer: range(layers).map(String),
    head: range(heads).map(String),
  };
}

// What the page holds before anything is loaded: of each step {title, parts}, the map,
// and the readings of its sentences. more: a sentence / its other; and so on.
export async function picturesOf({text, other, layer, head}, ask, {more = ""}) {
  const lines = more.split(";").filter(line => line.trim());
  const pairs = [[text, other], ...lines.map(line => line.split(" / "))];
  const stored = [];
  for (const [one, two = ""] of pairs) {
    const found = await ask("steps", one.trim(), two.trim(), null, true);
    found.adds = await ask("adds", found.text, range(found.n));
    stored.push(toPage(found));
  }
  const shown = {...fromPage(stored[0]), layer, head};
  const told = names.map(name => {
    const {parts} = card(viewOf(name, shown));
    return [name, {title: LOOK.steps[name], parts}];
  });
  const whole = {title: "", parts: [map(shown, names[0]).drawing]};
  return {pictures: {...Object.fromEntries(told), map: whole}, stored};
}

export function mount({controls, page, client, changed}) {
  const {machine} = document.querySelector("[data-live=steps]");
  if (!machine) throw new Problem(LOOK.say.missing);
  let wanted = null; // the piece that was chosen, null for the hidden one
  const texts = textBoxes({text: "Text", other: "Second text"}, () => {
    wanted = null;
    changed();
  });
  controls.append(...texts.boxes);
  let first = null; // what is to be seen of the next answer
  Object.assign(page.settings, machine.state()); // the reader goes on where they are
  // The page's sentences were read by the course model: another reads them anew.
  machine.asks = !page.own
    ? null
    : (text, other) => {
        texts.fill({text, other});
        wanted = null;
        changed();
      };
  machine.wants = piece => {
    wanted = piece;
    changed();
  };
  // What each head adds takes a run for each: not before its step is open.
  const asked = new WeakSet();
  machine.needs = found => {
    if (asked.has(found)) return;
    asked.add(found);
    client
      .ask("adds", found.text, [found.piece])
      .then(adds => machine.add(found, adds))
      .catch(() => {}); // the text was changed for one that cannot be asked
  };
  return {
    question: () => ["steps", texts.values().text, texts.values().other, wanted],
    values: () => ({...texts.values(), ...machine.state()}),
    fill(values) {
      texts.fill(values);
      wanted = Number.parseInt(values.piece, 10);
      first = values;
    },
    show(found) {
      if (page.own) found.adds = null; // a run for each head takes too long
      machine.show(found);
      if (first) machine.fill({...first, piece: found.piece});
      first = null;
      return {parts: [el("p", {}, LOOK.say.loaded)], words: ""};
    },
  };
}
