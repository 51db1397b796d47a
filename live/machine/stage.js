// The machine in its page: the map, the choices, and the step that is open. It runs of
// itself, on the sentences that the build has computed; a model may bring others.
import {el, menu} from "../components.js";
import {STEPS as LOOK} from "../looks.js";
import {range} from "../model/numbers.js";
import {card, keep} from "./card.js";
import {map, tokenAt} from "./map.js";
import {play, run} from "./motion.js";
import {rail} from "./rail.js";
import {fromPage} from "./reading.js";
import {viewOf} from "./views.js";

const {say} = LOOK;
const names = Object.keys(LOOK.steps);
const OWN = "own";

// place: the widget's element. sentences: readings as the page carries them. settings:
// what is shown first. Puts the way for others to work it at `place.machine`.
export function build(place, sentences, settings) {
  const box = place.querySelector(".machine");
  const drawing = box.querySelector(".machine-map");
  const told = new Map(
    Array.from(box.querySelectorAll("[data-step].live-step"), part => [
      part.dataset.step,
      part,
    ])
  );
  const stored = new Map(); // number => reading, unpacked when first wanted
  const state = {piece: 0, layer: 0, head: 0, step: names[0]};
  let reading = null;
  let own = null; // the reading of a reader's own text

  const texts = sentences.map(({text}, number) => [String(number), text]);
  const choose = (name, change) => {
    const made = menu(name, [], () => change(Number(made.input.value)));
    return made;
  };
  const sentence = menu(say.sentence, texts, () => {
    if (sentence.input.value === OWN) return show(own);
    const number = Number(sentence.input.value);
    const {text, parting} = sentences[number];
    if (place.machine.asks) place.machine.asks(text, parting.text);
    else open(number);
  });
  const piece = choose("Piece", follow);
  const layer = choose("Layer", layer => set({layer}));
  const head = choose("Head", head => set({head}));
  const titles = names.map((name, number) => [
    name,
    `${number + 1} / ${names.length} · ${LOOK.steps[name]}`,
  ]);
  const step = menu(say.step, titles, () => go(step.input.value));
  const said = el("span", {role: "status", class: "visually-hidden"});
  const button = (text, onclick) => el("button", {type: "button", onclick}, text);
  const back = button(say.back, () => walk(-1));
  const next = button(say.next, () => walk(1));
  box.prepend(
    el("p", {class: "live-menus"}, ...[sentence, piece, layer, head].map(m => m.box))
  );
  drawing.append(el("p", {class: "machine-walk"}, back, next, step.box, said));
  const kept = el("p", {class: "live-label", hidden: true}, say.rough);
  box.append(kept);
  for (const [name, part] of told) {
    const save = button(say.save, () =>
      keep(part.querySelector(".machine-picture"), name)
    );
    part.append(el("p", {class: "machine-save"}, save));
  }

  const walk = by => {
    const to = names.indexOf(state.step) + by;
    if (to >= 0 && to < names.length) go(names[to]);
  };
  const moves = {
    ArrowLeft: () => walk(-1),
    ArrowRight: () => walk(1),
    Home: () => go(names[0]),
    End: () => go(names.at(-1)),
  };
  // The arrow keys walk, but for where they do something else.
  box.addEventListener("keydown", event => {
    const move = moves[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("select, textarea, input, .live-scroll")) return;
    event.preventDefault();
    move();
  });
  // A part of the map, or a small map of a head, opens what it is.
  box.addEventListener("click", ({target}) => {
    const of = name => target.closest(`svg [data-${name}]`)?.dataset[name];
    if (of("piece")) return follow(Number(of("piece")));
    const chosen = ["layer", "head"].flatMap(name =>
      of(name) ? [[name, Number(of(name))]] : []
    );
    Object.assign(state, Object.fromEntries(chosen));
    if (of("step")) go(of("step"));
    else if (chosen.length) draw();
  });

  function open(number) {
    if (!stored.has(number)) stored.set(number, fromPage(sentences[number]));
    show(stored.get(number));
    sentence.input.value = String(number);
  }

  function show(found) {
    reading = found;
    state.piece = found.piece;
    state.layer = Math.min(state.layer, found.layers - 1);
    state.head = Math.min(state.head, found.heads - 1);
    const fill = (made, labels) =>
      made.input.replaceChildren(
        ...labels.map((label, value) => el("option", {value}, label))
      );
    fill(
      piece,
      found.tokens.map((token, at) => `${at}: ${token}`)
    );
    fill(layer, range(found.layers));
    fill(head, range(found.heads));
    draw();
  }

  // The guesses of a piece may have to be asked for.
  function follow(number) {
    if (reading.guesses[number]) set({piece: number});
    else place.machine.wants?.(number);
  }

  function set(values) {
    Object.assign(state, values);
    draw();
  }

  function go(step) {
    const before = state.step;
    state.step = step;
    try {
      history.replaceState(null, "", `${location.href.split("#")[0]}#step-${step}`);
    } catch {
      // A browser may refuse many addresses in a row.
    }
    draw(before);
  }

  // before: the step from which the token runs.
  function draw(before) {
    if (!reading) return;
    const shown = {...reading, ...state};
    for (const [name, part] of told) part.hidden = name !== state.step;
    const part = told.get(state.step);
    const {parts, picture} = card(viewOf(state.step, shown));
    part.querySelector(".live-view").replaceChildren(...parts);
    part.querySelector(".machine-save").hidden = !picture;
    const whole = map(shown, state.step);
    drawing.querySelectorAll(":scope > svg").forEach(old => old.remove());
    drawing.prepend(whole.drawing, rail(shown, state.step));
    const menus = {piece, layer, head, step};
    for (const [name, made] of Object.entries(menus)) made.input.value = state[name];
    const at = names.indexOf(state.step);
    // A button that is switched off would lose the focus, and the keys with it.
    back.setAttribute("aria-disabled", at === 0);
    next.setAttribute("aria-disabled", at === names.length - 1);
    said.textContent = LOOK.steps[state.step];
    kept.hidden = !reading.rough;
    if (state.step === "adds" && reading.adds && !reading.adds[state.piece])
      place.machine.needs?.(reading);
    if (picture) play(picture);
    if (before) run(whole.token, tokenAt(before, shown), tokenAt(state.step, shown));
  }

  // What a link sets: #step-products, or a whole state on one of the stored sentences.
  function read() {
    const {hash} = location;
    const step = hash.replace(/^#step-/, "");
    if (names.includes(step)) state.step = step;
    const values = Object.fromEntries(new URLSearchParams(hash.slice(1)));
    const number = sentences.findIndex(({text}) => text === values.text);
    if (values.live === "steps" && number >= 0) {
      open(number);
      fill(values);
    }
  }

  function fill({step, layer, head, piece}) {
    if (names.includes(step)) state.step = step;
    const number = Number.parseInt(piece, 10);
    set({
      layer: Math.min(Number(layer) || 0, reading.layers - 1),
      head: Math.min(Number(head) || 0, reading.heads - 1),
      piece: reading.guesses[number] ? number : state.piece,
    });
  }

  place.machine = {
    // Shows a reading that the model has made of a reader's own text.
    show(found) {
      if (!own) sentence.input.prepend(el("option", {value: OWN}, say.own));
      own = found;
      show(own);
      sentence.input.value = OWN;
    },
    // What came later: what each head adds.
    add(found, adds) {
      Object.assign(found.adds, adds);
      if (reading === found && state.step === "adds") draw();
    },
    fill,
    // What is shown; a text only where it is one of the page's.
    state() {
      const {text, parting} = reading;
      return {...state, ...(reading !== own && {text, other: parting.text})};
    },
    wants: null,
    needs: null,
    asks: null,
  };
  place.querySelector(".live-text")?.remove();
  box.classList.add("machine-runs");
  Object.assign(state, {layer: Number(settings.layer), head: Number(settings.head)});
  open(0);
  read();
  draw();
  window.addEventListener("hashchange", () => {
    read();
    draw();
  });
}

const place = globalThis.document?.querySelector?.("[data-live=steps]");
if (place && globalThis.insideBertSentences)
  build(place, globalThis.insideBertSentences, JSON.parse(place.dataset.page).settings);
