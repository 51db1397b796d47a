// The buttons of the window: which sentence, and whose attention.
import {el} from "../components.js";
import {range} from "../model/numbers.js";

const $ = query => document.querySelector(query);

// A button for each pair of the page, and one for a reader's own.
export function tabs(m) {
  const gap = text =>
    text
      .split("[MASK]")
      .flatMap((part, i) =>
        i
          ? [el("span", {class: "gap", role: "img", "aria-label": "hidden word"}), part]
          : [part]
      );
  const few = ([one, two]) => {
    const [a, b] = [one, two].map(text => text.replace(/[.]$/, "").split(" "));
    const i = a.findIndex((word, at) => word !== b[at]);
    return `${a[i].toLowerCase()} / ${b[i].toLowerCase()}`;
  };
  const made = m.page.pairs.map((pair, i) =>
    el(
      "button",
      {type: "button", onclick: () => m.act.choose(i)},
      el("span", {class: "full"}, ...gap(pair[0])),
      el("span", {class: "few"}, few(pair))
    )
  );
  const own = el(
    "button",
    {type: "button", class: "own", onclick: () => m.own.begin()},
    "Your own"
  );
  $(".tabs").replaceChildren(...made, own);
}

// Whose attention the drawing shows.
export function headsOf(m) {
  const group = $(".heads div");
  let shown = 0;
  const choose = h => {
    if (m.s.open > 0 && h !== null) return m.act.openHead(h);
    if (m.s.inHead) return m.act.up();
    m.s.head = h;
    m.act.changed(200);
  };
  return {
    say() {
      const {s, d} = m;
      if (d.H !== shown) {
        shown = d.H;
        const all = el(
          "button",
          {type: "button", onclick: () => choose(null)},
          "all, averaged"
        );
        const each = range(d.H).map(h =>
          el(
            "button",
            {type: "button", "aria-label": `head ${h}`, onclick: () => choose(h)},
            String(h)
          )
        );
        group.replaceChildren(all, ...each);
      }
      [...group.children].forEach((button, i) =>
        button.setAttribute("aria-pressed", i ? s.head === i - 1 : s.head === null)
      );
    },
  };
}
