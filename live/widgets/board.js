// The board: heads are switched off, a column closed, a word patched; the guesses change.
import {bars, el, menu, percent, scrolling, textBoxes} from "../components.js";
import {BOARD as LOOK, filled} from "../looks.js";

// Heads are as in "0.3 5.11", places are numbers.
export const fieldsOf = () =>
  Object.fromEntries(
    ["text", "second", "off", "closed", "place", "after"].map(name => [name, null])
  );

export async function mount({controls, client, changed}) {
  const {layers, heads} = await client.ask("size");
  const state = {off: new Set(), closed: "", place: "", after: "0"};
  const labels = {text: "Text with one [MASK]", second: "Second text, to patch from"};
  const texts = textBoxes(labels, changed);
  const stages = Array.from({length: layers}, (_, layer) => `after layer ${layer}`);
  const none = [["", "none"]];
  const menus = {
    closed: ["Close the column of", none],
    place: ["Patch the piece", none],
    after: ["Patched", ["on entry", ...stages].map((name, at) => [at, name])],
  };
  const chosen = Object.entries(menus).map(([name, [label, choices]]) => {
    const {box, input} = menu(label, choices, () => {
      state[name] = input.value;
      changed();
    });
    return {name, box, input};
  });
  const board = grid(layers, heads, state.off, changed);
  controls.append(
    ...texts.boxes,
    el("p", {class: "live-menus"}, ...chosen.map(({box}) => box)),
    ...board.parts
  );
  // The pieces of the text at hand are what can be closed or patched.
  const tell = tokens => {
    const pieces = tokens.map((token, place) => [place, `${place} ${token}`]);
    for (const {name, input} of chosen) {
      if (name !== "after")
        input.replaceChildren(
          ...[...none, ...pieces].map(([value, text]) => el("option", {value}, text))
        );
      input.value = state[name];
    }
  };
  return {
    question: () => {
      const {text, second} = texts.values();
      return ["guesses", text, second, {...state, off: [...state.off]}];
    },
    values: () => ({...texts.values(), ...state, off: [...state.off].join(" ")}),
    fill({off = "", closed = "", place = "", after = "0", ...values}) {
      texts.fill(values);
      Object.assign(state, {closed, place, after});
      board.set(off.split(" ").filter(Boolean));
    },
    show(answer, _task, _text, _second, asked) {
      tell(answer.tokens);
      return {
        parts: [panels(answer, asked), table(answer)],
        words: summary(answer, asked),
      };
    },
  };
}

// Layers × heads, each a button, and the button that switches all on: {parts, set}.
function grid(layers, heads, off, changed) {
  const inLayer = layer => Array.from({length: heads}, (_, head) => `${layer}.${head}`);
  const switched = names => {
    const isOff = names.every(name => off.has(name));
    for (const name of names) off[isOff ? "delete" : "add"](name);
    draw();
    changed();
  };
  const button = (names, label) => {
    const look = {type: "button", tabindex: -1, "aria-label": label};
    const made = el("button", {...look, onclick: () => switched(names)});
    return {made, names};
  };
  const rows = Array.from({length: layers}, (_, layer) => [
    button(inLayer(layer), `Layer ${layer} off`),
    ...inLayer(layer).map((name, head) =>
      button([name], `Layer ${layer}, head ${head} off`)
    ),
  ]);
  const buttons = rows.map(row => row.map(({made}) => made));
  rows.forEach(([{made}], layer) => made.append(String(layer)));
  const draw = () => {
    for (const {made, names} of rows.flat())
      made.setAttribute(
        "aria-pressed",
        names.every(name => off.has(name))
      );
  };
  const columns = Array.from({length: heads}, (_, head) =>
    el("th", {scope: "col"}, String(head))
  );
  const corner = el("th", {scope: "col"}, LOOK.corner);
  const lines = buttons.map(([whole, ...single]) =>
    el(
      "tr",
      {},
      el("th", {scope: "row"}, whole),
      ...single.map(made => el("td", {}, made))
    )
  );
  const table = el(
    "table",
    {role: "grid", class: "live-board", "aria-label": LOOK.grid},
    el("thead", {}, el("tr", {}, corner, ...columns)),
    el("tbody", {}, ...lines)
  );
  walked(table, buttons);
  const set = names => {
    off.clear();
    for (const name of names) off.add(name);
    draw();
  };
  const onclick = () => {
    set([]);
    changed();
  };
  const all = el("button", {type: "button", onclick}, LOOK.all);
  const label = el("p", {class: "live-label"}, LOOK.label, " ", all);
  return {parts: [label, el("div", {class: "live-scroll"}, table)], set};
}

// Arrow keys, Home and End move the focus; one button at a time is in the tab order.
function walked(table, buttons) {
  let here = buttons[0][1];
  const reach = button => {
    here.tabIndex = -1;
    here = button;
    here.tabIndex = 0;
  };
  reach(here);
  table.addEventListener("focusin", ({target}) => reach(target));
  table.addEventListener("keydown", event => {
    if (event.altKey || event.metaKey) return;
    const row = buttons.findIndex(line => line.includes(event.target));
    const next = moved(
      [row, buttons[row]?.indexOf(event.target)],
      event.key,
      [buttons.length - 1, buttons[0].length - 1],
      event.ctrlKey
    );
    if (row < 0 || !next) return;
    event.preventDefault();
    buttons[next[0]][next[1]].focus();
  });
}

// Where a key leads from a place of the grid, or null; far: with Ctrl.
export function moved([row, column], key, [lastRow, lastColumn], far = false) {
  const steps = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  };
  if (key === "Home") return [far ? 0 : row, 0];
  if (key === "End") return [far ? lastRow : row, lastColumn];
  if (far || !Object.hasOwn(steps, key)) return null;
  const within = (at, last) => Math.min(Math.max(at, 0), last);
  const [down, right] = steps[key];
  return [within(row + down, lastRow), within(column + right, lastColumn)];
}

const isTouched = ({off, closed, place}) =>
  off.length > 0 || closed !== "" || place !== "";

function panels({untouched, touched}, asked) {
  const panel = (title, rows) => {
    const named = rows.map(({piece, share}) => ({name: piece, value: share}));
    return el("div", {}, el("p", {class: "live-label"}, title), bars(named));
  };
  const shown = [panel(LOOK.untouched, untouched)];
  if (isTouched(asked)) shown.push(panel(LOOK.touched, touched));
  return el("div", {class: "live-panels"}, ...shown);
}

// What each layer's heads off would make of the first guess.
function table({first, layers}) {
  const row = (tag, scope, [name, ...cells]) =>
    el("tr", {}, el("th", {scope}, name), ...cells.map(text => el(tag, {}, text)));
  const heads = LOOK.columns.map(text => filled(text, first));
  const lines = layers.map(({piece, share, change}, layer) =>
    row("td", "row", [
      filled(LOOK.layer, {layer}),
      piece,
      percent(share),
      signed(change),
    ])
  );
  const body = el("tbody", {}, row("th", "col", heads), ...lines);
  return scrolling(LOOK.table, el("table", {class: "live-pieces"}, body));
}

export function summary({tokens, first}, {off, closed, place}) {
  const done = [];
  if (off.length) done.push(`${off.length} ${off.length > 1 ? "heads" : "head"} off`);
  if (closed !== "") done.push(`the column of ${closed} ${tokens[closed]} closed`);
  if (place !== "") done.push(`${place} ${tokens[place]} patched`);
  if (!done.length) return "Nothing is touched.";
  return (
    `With ${done.join(", ")}: “${first.piece}” goes from ${percent(first.before)} to ` +
    `${percent(first.after)}, its log-odds change by ${signed(first.change)}.`
  );
}

const signed = value => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);
