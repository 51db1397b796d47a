// The form of a reader's own sentence: two texts, the button that loads, the model.
import {el} from "../components.js";
import {Problem, sentence} from "../model/problem.js";
import {LETTERS} from "../model/reader.js";

const LOADING = "Loading the model; nothing that you type leaves this page.";
const HIDDEN = /_{2,}/g; // what is typed for a hidden word, too

// act: {load(progress), stop, typed, open(file, signal), back}, which may throw in a sentence.
export function formOf(act) {
  const field = (name, label, look = {}) => {
    const input = el("input", {
      id: `own-${name}`,
      autocomplete: "off",
      spellcheck: "false",
      maxlength: LETTERS + 1,
      ...look,
    });
    input.addEventListener("input", () => {
      changed(input);
      act.typed();
    });
    // A frame's sandbox may forbid to submit a form.
    input.addEventListener("keydown", ({key, isComposing}) => {
      if (key === "Enter" && !isComposing && !start.hidden) load();
    });
    return [
      input,
      el("p", {class: name}, el("label", {for: `own-${name}`}, label), input),
    ];
  };
  // A second text that was not typed goes once it is none of the first any more.
  let filled = false;
  const changed = input => {
    if (input === text && filled) other.value = "";
    filled = false;
  };
  const [text, first] = field(
    "text",
    "Your sentence, with [MASK] or __ for the hidden word"
  );
  const [other, second] = field(
    "other",
    "Compare with (one word changed), if you like"
  );
  const said = el("p", {class: "said", role: "status"});
  const start = el("button", {type: "button", class: "tool main", onclick: load});
  const bar = el("progress", {"aria-label": "Loading the model", max: 1, value: 0});
  const stop = el(
    "button",
    {type: "button", class: "tool", onclick: () => act.stop()},
    "Stop"
  );
  const coming = el("p", {class: "coming", hidden: true}, bar, stop);
  const [models, model] = modelOf(act);
  const switching = el("span", {class: "switch"});
  const box = el("form", {
    class: "own",
    "aria-label": "Your own sentence",
    onsubmit: event => event.preventDefault(),
  });
  box.append(first, second, start, coming, switching, models, said);
  let bytes = 1;
  let drawn = ""; // what is said of a drawing of another text

  async function load() {
    start.hidden = true;
    coming.hidden = false;
    stop.focus({preventScroll: true});
    said.textContent = `${LOADING}${drawn}`;
    try {
      await act.load(come => (bar.value = Math.min(1, come / bytes)));
      said.textContent = "";
      text.focus({preventScroll: true});
    } catch (problem) {
      said.textContent = sentence(problem);
      start.hidden = false;
      start.focus({preventScroll: true});
    }
    coming.hidden = true;
  }

  return {
    box,
    // given: whether these are of the page.
    fill(one, two, given) {
      [text.value, other.value] = [one, two];
      filled = given;
    },
    values: () => ({
      text: text.value.replace(HIDDEN, "[MASK]"),
      other: other.value.replace(HIDDEN, "[MASK]"),
    }),
    focus: () => text.focus({preventScroll: true}),
    busy: () => box.setAttribute("aria-busy", "true"),
    // The drawing is not of what was typed yet, but of this text; null where it is.
    stale(of) {
      document.body.classList.toggle("stale", of !== null);
      drawn = of === null ? "" : ` The drawing still shows “${of}”`;
      said.textContent = coming.hidden ? drawn.trim() : `${LOADING}${drawn}`;
    },
    said(words) {
      box.removeAttribute("aria-busy");
      said.textContent = words;
    },
    complain(words) {
      box.removeAttribute("aria-busy");
      document.body.classList.add("stale"); // it is of another text
      said.textContent = words;
    },
    // running: whether a model does. name: its name. size: of what the page would load.
    ready(running, name, size) {
      bytes = Number.parseFloat(size) * 1e6;
      start.textContent = `Load the model (${size}) and run`;
      start.hidden = running || !coming.hidden;
      models.hidden = !running;
      model(name);
    },
    // s: whether both texts are drawn, or will be; null where there is no second.
    compare(s, change) {
      if (s === null) return switching.replaceChildren();
      const on = s.cmp;
      const look = {
        type: "button",
        id: "compare",
        role: "switch",
        "aria-checked": String(on),
      };
      const knob = el("span", {class: "knob", "aria-hidden": "true"});
      switching.replaceChildren(
        el(
          "button",
          {...look, onclick: () => change(!on)},
          knob,
          s.waits ? " Compare again" : " Compare"
        )
      );
    },
  };
}

// Which model reads, and how a reader's own comes here. Returns [box, name => …].
function modelOf(act) {
  const name = el("summary", {class: "tool"});
  const said = el("p", {role: "status"});
  const input = el("input", {type: "file", id: "own-model"});
  const back = el(
    "button",
    {type: "button", class: "tool", hidden: true},
    "Back to the course model"
  );
  const stop = el("button", {type: "button", class: "tool", hidden: true}, "Stop");
  const told = async f => {
    input.disabled = true;
    try {
      said.textContent = (await f()) ?? "";
    } catch (problem) {
      said.textContent = `${sentence(problem)} The model that was here goes on.`;
    }
    input.disabled = false;
    stop.hidden = true;
  };
  input.addEventListener("change", () => {
    const [file] = input.files;
    input.value = ""; // the same file may be chosen again
    if (!file) return;
    said.textContent = `Opening ${file.name} …`;
    const opening = new AbortController();
    stop.onclick = () =>
      opening.abort(new Problem(`Opening ${file.name} was stopped.`));
    stop.hidden = false;
    told(() => act.open(file, opening.signal));
  });
  back.onclick = () => told(act.back);
  const how = el(
    "p",
    {},
    "A BERT of yours, as a file that ",
    el("code", {}, "make own-model MODEL=… FILE=…"),
    " writes in the course’s folder. It is read from your disk, and nothing is sent."
  );
  const label = el("label", {for: "own-model"}, "Open a checkpoint of your own");
  const panel = el(
    "div",
    {class: "panel"},
    how,
    el("p", {}, label, input),
    said,
    el("p", {}, stop, back)
  );
  const box = el("details", {class: "models", hidden: true}, name, panel);
  closable(box, name);
  const set = called => {
    name.textContent = `Model: ${called}`;
    back.hidden = called === "the course model";
  };
  return [box, set];
}

// Escape closes it before anything else, and so does a press beside it.
function closable(box, name) {
  document.addEventListener("pointerdown", event => {
    if (!box.contains(event.target)) box.open = false;
  });
  document.addEventListener(
    "keydown",
    event => {
      if (event.key !== "Escape" || !box.open || !box.isConnected) return;
      event.stopPropagation();
      box.open = false;
      name.focus();
    },
    true
  );
}
