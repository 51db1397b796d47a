// What can be pressed on the drawing, and the words on it: elements over the canvas that
// are put to their places with every frame.
import {el} from "../components.js";
import {putAsks, sayAsks, set} from "./asks.js";
import {nameOf, quoted} from "./caption.js";
import {tile} from "./inside.js";
import {percent, shown} from "./paint.js";
import {mostOf} from "./reading.js";

const at = (tag, look, ...parts) =>
  el(tag, {...look, class: `at ${look.class ?? ""}`}, ...parts);
const button = (look, ...parts) => at("button", {type: "button", ...look}, ...parts);

// m: the machine. act: {open, openHead, follow, up, play, ask}. Returns {build, say, put}.
export function partsOf(m, place, act) {
  const close = button({class: "round close", onclick: act.up}, "×");
  const replay = button(
    {class: "small replay", onclick: () => act.play()},
    "Play again"
  );
  const bandname = at("div", {class: "bandname"});
  const rightTitle = at("div", {class: "title right"});
  const turn = at("div", {class: "turn"});
  const fixed = [bandname, rightTitle, turn];
  let p = {};
  let opened = null; // after which part its inside comes
  let stands = null; // for which drawing all was put last

  // What there is of each kind, for the reading that is shown.
  function build() {
    const {d} = m;
    for (const old of place.querySelectorAll(".at")) old.remove();
    const each = (n, make) => Array.from({length: n}, (_, i) => make(i));
    p = {
      cols: each(d.L + 1, k =>
        button({
          class: "col",
          "aria-label": k === 0 ? "Open the embeddings" : `Open layer ${k - 1}`,
          onclick: () => (k === m.s.open ? act.up() : act.open(k)),
        })
      ),
      titles: each(d.L + 1, () => at("div", {class: "title"})),
      tokens: each(d.n, i => tokenOf(d, i, () => act.follow(i))),
      lens: each(d.L + 1, () => at("div", {class: "lens"})),
      tiles: each(d.H, h =>
        button({class: "headtile", onclick: () => act.openHead(h)})
      ),
      asks: each(8 + d.n, () => button({class: "ask"})),
    };
    const {cols, titles, tokens, lens} = p;
    place.append(...cols, ...titles, ...tokens, ...lens, ...fixed);
    opened = stands = null;
    order();
  }

  // What an open part holds comes after it, for those who walk by the keyboard.
  function order() {
    const {open} = m.s;
    if (open === opened) return;
    opened = open;
    const focused = document.activeElement;
    (p.cols[open] ?? p.cols.at(-1)).after(...p.tiles, ...p.asks, replay, close);
    if (place.contains(focused)) focused.focus({preventScroll: true});
  }

  function say() {
    const {s, d} = m;
    const open = s.open;
    p.tokens.forEach((token, i) => token.setAttribute("aria-pressed", i === s.row));
    p.tokens.forEach((token, i) => sayToken(m, token, i));
    p.lens.forEach((box, k) => sayGuess(m, box, k));
    sayTurn(m, turn);
    turn.hidden = open < 0;
    bandname.textContent =
      s.row === d.hidden ? "What it would guess here" : "What it would put here";
    sayRight(m, rightTitle);
    p.titles.forEach((title, k) => {
      const whole = k ? `Layer ${k - 1}` : "Embeddings";
      const few = open >= 0 || m.L.w[1] < 62;
      title.replaceChildren(el("b", {}, few ? (k ? String(k - 1) : "E") : whole));
    });
    p.cols.forEach((col, k) => {
      col.setAttribute("aria-expanded", k === open);
      col.tabIndex = k === open ? -1 : 0;
    });
    p.tiles.forEach((button, h) => sayTile(m, button, h));
    close.hidden = open < 0;
    close.setAttribute("aria-label", s.inHead ? "Back to the layer" : "Close");
    replay.hidden = open < 0 || (open > 0 && !s.inHead);
    sayAsks(m, p.asks, act.ask);
    order();
  }

  // key: of a drawing that rests; false while all moves. What is not seen then (where to
  // press, how wide a box may be) follows once it rests.
  function put(key) {
    if (key && key === stands) return;
    stands = key;
    const {s, d, L, W} = m;
    const open = s.open;
    p.tokens.forEach((token, i) => {
      token.style.transform = `translate(calc(${L.left - 8}px - 100%), ${L.y(i).toFixed(1)}px)`;
    });
    p.titles.forEach((title, k) => {
      set(title, L.x[k] + L.w[k] / 2 - 60, L.panelTop + (open < 0 ? 9 : 14));
      title.style.opacity = 1 - L.o[k];
    });
    set(rightTitle, L.right + 38, L.panelTop + 9, L.rightW - 38);
    p.lens.forEach((box, k) => {
      const near = Math.min(L.w[k], L.w[k + 1] ?? L.w[k]);
      const narrow = near < 70;
      const most = narrow ? Math.min(40, near + 4) : Math.min(140, near - 4);
      const wide = key ? most : narrow ? 40 : 140;
      set(box, L.x[k] + L.w[k] - wide / 2, L.panelBottom + 14, wide);
      box.classList.toggle("narrow", narrow);
      const come = (L.reveal * (W + 100) - L.x[k] - L.w[k]) / 120;
      box.style.opacity = Math.min(1, Math.max(0, come));
    });
    set(bandname, 28, L.panelBottom + 18);
    const k = Math.max(0, open);
    const right = L.x[k] + L.w[k];
    const [middle, under] = [right - L.w[k] / 2, L.panelBottom + 16];
    turn.style.transform = `translate(calc(${middle.toFixed(1)}px - 50%), ${under}px)`;
    turn.style.opacity = Math.max(0, L.o[k] * 2 - 1);
    if (open > 0)
      p.tiles.forEach((button, h) => {
        button.style.opacity = Math.max(0, L.o[open] * 2 - 1);
        if (L.o[open] <= 0.5) return;
        const T = tile(L, open, h, d.H);
        set(button, T.x, T.y, T.w, T.h);
      });
    set(close, right - 42, L.panelTop + 10);
    set(replay, right - 136, L.panelTop + 13);
    close.style.opacity = replay.style.opacity = L.o[k];
    p.cols.forEach((col, k) => {
      if (!key && col !== document.activeElement) return; // whose frame is seen
      set(col, L.x[k] + 3, L.panelTop + 4, L.w[k] - 6, L.panelBottom - L.panelTop - 8);
    });
    if (key) putAsks(m, p.asks);
  }

  const focus = (kind, i) => p[kind]?.[i]?.focus({preventScroll: true});
  // Whether the focus is here, or nowhere.
  const focused = () => {
    const {activeElement} = document;
    return activeElement === document.body || place.contains(activeElement);
  };
  return {build, say, put, focus, focused};
}

function tokenOf(d, i, onclick) {
  const hidden = d.tokens[i] === "[MASK]";
  const kind = hidden ? "hidden" : d.special(i) ? "special" : "";
  const label = hidden ? "the hidden word, [MASK]" : null;
  const inside = hidden ? el("span", {class: "gap"}) : shown(d.tokens[i]);
  return button({class: `token ${kind}`, "aria-label": label, onclick}, inside);
}

function sayToken({s, d, b, L}, token, i) {
  if (d.tokens[i] !== "[MASK]") {
    const other = s.cmp && b && b.tokens[i] !== d.tokens[i];
    const more = other ? [el("small", {}, `/ ${shown(b.tokens[i])}`)] : [];
    token.replaceChildren(shown(d.tokens[i]), ...more);
  }
  const most = d.special(i) ? 12.5 : 20;
  const tall = Math.min(34, Math.max(14, L.gap));
  Object.assign(token.style, {
    height: `${tall}px`,
    lineHeight: `${tall}px`,
    marginTop: `${-tall / 2}px`,
  });
  token.style.fontSize = `${Math.min(most, Math.max(11, L.gap * 0.85)).toFixed(1)}px`;
}

// What would be guessed after layer k - 1.
function sayGuess({s, d, b}, box, k) {
  const rows = d.guesses(k, s.row);
  box.hidden = !rows;
  if (!rows) return;
  const [piece, share] = rows[0];
  const before = k ? d.guesses(k - 1, s.row)[0][0] : null;
  const line = (name, text, style) => el("span", {class: name, style}, text);
  box.classList.toggle("new", k > 0 && piece !== before && !s.cmp);
  const other = s.cmp && b?.guesses(k, s.row)?.[0];
  if (other) {
    const same = other[0] === piece;
    box.classList.toggle("apart", !same);
    const both = [
      line("b", shown(other[0])),
      line("p", `${percent(share)} / ${percent(other[1])}`),
    ];
    box.replaceChildren(
      line("w", shown(piece)),
      ...(same ? [line("p", "the same in both")] : both)
    );
    return;
  }
  box.classList.remove("apart");
  const size = s.open < 0 ? Math.min(28, 18 + 14 * Math.sqrt(share)) : 17;
  const next = rows.slice(1, 3).map(([more]) => line("r", shown(more)));
  const word = line("w", shown(piece), `font-size: ${size.toFixed(1)}px`);
  box.replaceChildren(word, line("p", percent(share)), ...next);
}

// What the open layer makes of the guess.
function sayTurn({s, d}, turn) {
  if (s.open < 0 || !d.guesses(0, s.row)) return turn.replaceChildren();
  const word = (k, told, look = {}) => {
    const [piece, share] = d.guesses(k, s.row)[0];
    return el("span", look, shown(piece), el("small", {}, `${percent(share)} ${told}`));
  };
  if (s.open === 0) return turn.replaceChildren(word(0, "before any layer"));
  const [one, two] = [s.open - 1, s.open].map(k => d.guesses(k, s.row)[0][0]);
  turn.replaceChildren(
    word(s.open - 1, `before layer ${s.open - 1}`),
    el("i", {"aria-label": "becomes", role: "img"}, "→"),
    word(s.open, "after it", {class: one === two ? null : "new"})
  );
}

function sayRight({s, d, b, pair}, title) {
  if (s.cmp && pair) {
    const differ = d.tokens.findIndex((token, i) => token !== b.tokens[i]);
    const [one, two] =
      differ < 0 ? ["first", "second"] : [d.tokens[differ], b.tokens[differ]];
    const dot = (name, text) => [el("i", {class: `dot ${name}`}), shown(text)];
    return title.replaceChildren(...dot("a", one), " ", ...dot("b", two));
  }
  const told = s.row === d.hidden ? "The guess" : `For ${nameOf(d, s.row)}`;
  title.replaceChildren(el("b", {}, told));
}

function sayTile({s, d}, button, h) {
  button.hidden = s.open < 1;
  if (button.hidden) return;
  const best = mostOf(d, s.open - 1, h, s.row);
  const share = percent(d.weight(s.open - 1, h, s.row, best));
  const told = `Open head ${h}: most of the weight, ${share}, on ${quoted(d.tokens[best])}`;
  button.setAttribute("aria-label", told);
  button.setAttribute("aria-pressed", s.head === h);
}
