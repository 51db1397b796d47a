// Lets a reader open a checkpoint of the own disk in a box, in place of its model.
import {el} from "./components.js";
import {megabytes, opened} from "./model/own.js";
import {sentence} from "./model/problem.js";
import {LONGEST} from "./model/reader.js";

const LACKS = {
  mlm: "It has no head for masked words: “?” stands for each guess.",
  nsp: "It has no head for next sentences, which this box does not need.",
};

// box: what runs in the place, as `run` gives it: {client, page, values, close}. run:
// (page, client, values) => another. connected: makes a client, whose worker is its own: what
// fails there leaves the model that runs alone. files: what the page loads, absolute.
export function ownModel({place, box, run, widget, connected, files}) {
  const course = {...box, name: place.querySelector(".live-title span").textContent};
  const said = el("p", {role: "status"});
  const back = el("button", {type: "button", hidden: true}, "Back to the course model");
  const input = el("input", {type: "file", id: "live-own"});

  async function use(client, page, name) {
    const {text, other} = box.values();
    box.close();
    if (box.client !== course.client) box.client.stop();
    box = await run(page, client, {text, other});
    place.querySelector(".live-title span").textContent = name;
    back.hidden = client === course.client;
  }

  async function open(file) {
    const {about, parts} = await opened(file, course.page.opens);
    const client = connected();
    try {
      const own = {...files, model: parts.graph, tokenizer: parts.tokenizer};
      await client.load(course.page.parts, own, () => {});
      const {text, other} = box.values();
      const settings = await widget.settingsOf({text, other}, client.ask);
      const fields = await widget.fieldsOf(settings, client.ask);
      const page = {...course.page, own: about, settings, fields};
      await use(client, page, `(${about.name})`);
    } catch (problem) {
      client.stop();
      throw problem;
    }
    const size = [`${about.layers} layers of ${about.heads} heads`];
    size.push(`${about.width} wide`, `${about.pieces.toLocaleString("en")} pieces`);
    const lacks = about.missing.map(head => ` ${LACKS[head]}`).join("");
    return (
      `${about.name}: ${size.join(", ")}; ${megabytes(file.size)}, read from your disk, ` +
      `nothing was sent. It reads texts of up to ${LONGEST} pieces. What each head adds ` +
      `to the guess is not computed.${lacks}`
    );
  }

  async function told(act) {
    input.disabled = true;
    try {
      said.textContent = await act();
    } catch (problem) {
      said.textContent = `${sentence(problem)} The model that was here goes on.`;
    }
    input.disabled = false;
    input.focus({preventScroll: true});
  }

  input.addEventListener("change", () => {
    const [file] = input.files;
    input.value = ""; // the same file may be chosen again
    if (!file) return;
    said.textContent = `Opening ${file.name} …`;
    told(() => open(file));
  });
  back.addEventListener("click", () =>
    told(async () => {
      await use(course.client, course.page, course.name);
      return "";
    })
  );
  const label = el("label", {for: "live-own"}, "A file made by the command below");
  place.append(
    el(
      "details",
      {class: "live-own"},
      el("summary", {}, "Your own checkpoint"),
      el("p", {class: "live-field"}, label, input),
      said,
      el("p", {}, back)
    )
  );
}
