// The machine on a telephone: its lines run down, layer below layer, one open at a time.
import {el} from "../components.js";
import {range} from "../model/numbers.js";
import {nameOf, quoted} from "./caption.js";
import {drawHead} from "./head.js";
import {stepsDown, tableDown} from "./down.js";
import {percent, shown, weave} from "./paint.js";
import {mostOf} from "./reading.js";
import {drawWhole, guessesOf} from "./whole.js";

const [FIRST, LAYER, NAMES] = [84, 124, 74]; // heights of the parts
const ROW = 30; // of a head's list

export function columnOf(m, place) {
  const {s, act} = m;
  const behind = el("canvas", {"aria-hidden": "true"});
  const names = el("div", {class: "names", role: "group", "aria-label": "Pieces"});
  const list = el("ol", {class: "layers"});
  const guesses = el("ol", {class: "last"});
  place.append(behind, names, list, guesses);
  let parts = []; // {item, button, guess, room} of each section
  let inside = null; // the canvas of the open one
  let brought = ""; // which part, or head, was brought into sight
  const N = {h: 0, cmp: 0, reveal: 1, rows: 6, rightW: 0};

  function build() {
    const {d} = m;
    names.replaceChildren(
      ...range(d.n).map(i => nameButton(d, i, () => act.follow(i)))
    );
    parts = range(d.L + 1).map(k => {
      const title = k ? `Layer ${k - 1}` : "Embeddings";
      const look = {
        type: "button",
        class: "bar",
        onclick: () => act.open(s.open === k ? -1 : k),
      };
      const guess = el("span", {class: "guess"});
      const button = el("button", look, el("b", {}, title), guess);
      const room = el("div", {class: "room"});
      const item = el("li", {style: `--tall: ${k ? LAYER : FIRST}px`}, button, room);
      return {item, button, guess, room};
    });
    list.replaceChildren(...parts.map(part => part.item));
  }

  function say() {
    const {d} = m;
    [...names.children].forEach((name, i) =>
      name.setAttribute("aria-pressed", i === s.row)
    );
    parts.forEach(({button, guess, room}, k) => {
      const open = k === s.open;
      button.setAttribute("aria-expanded", open);
      const rows = d.guesses(k, s.row);
      const before = k && d.guesses(k - 1, s.row)?.[0][0];
      guess.classList.toggle("new", Boolean(k && rows && rows[0][0] !== before));
      guess.replaceChildren(...(rows ? guessSaid(m, rows, k) : []));
      if (!open) room.replaceChildren();
      else fillRoom(room, k);
    });
    sayLast();
    draw();
    bring();
  }

  // What has just opened is brought into sight, as far as there is room.
  function bring() {
    const now = s.open < 0 ? "" : `${s.open}/${s.inHead ? s.head : ""}`;
    const same = now === brought;
    brought = now;
    if (same || !now || s.touring >= 0) return;
    const seen = s.inHead ? inside : parts[s.open].item;
    const {top, bottom} = seen.getBoundingClientRect();
    if (top >= 0 && bottom <= innerHeight) return;
    const block = bottom - top > innerHeight || top < 0 ? "start" : "end";
    seen.scrollIntoView({block, behavior: m.still() ? "auto" : "smooth"});
  }

  function sayLast() {
    const {d} = m;
    if (!d.guesses(d.L, s.row)) return guesses.replaceChildren();
    const {rows, both} = guessesOf({...m, L: N});
    const line = (share, name) =>
      el("i", {class: name, style: `--share: ${share.toFixed(3)}`});
    guesses.replaceChildren(
      ...rows.map(([piece, p, q]) => {
        const told = both ? `${percent(p)} / ${percent(q)}` : percent(p);
        const bars = both ? [line(p, "a"), line(q, "b")] : [line(p, "a")];
        return el(
          "li",
          {},
          el("span", {}, shown(piece)),
          el("span", {class: "bars"}, ...bars),
          el("small", {}, told)
        );
      })
    );
  }

  // What an open section holds: its heads, and a drawing that runs.
  function fillRoom(room, k) {
    inside = el("canvas", {"aria-hidden": "true"});
    const again = el(
      "button",
      {type: "button", class: "small", onclick: () => act.play()},
      "Play again"
    );
    const ask = el(
      "button",
      {type: "button", class: "small", onclick: () => m.about.open()},
      "Numbers and code"
    );
    const foot = el("p", {class: "act"}, again, ask);
    const leave = {type: "button", class: "round", "aria-label": "Back to the layer"};
    Object.assign(leave, {"data-head": s.head, onclick: act.up}); // who had the focus
    const close = s.inHead ? [el("button", leave, "×")] : [];
    const heads = k
      ? [el("div", {class: "tiles"}, ...range(m.d.H).map(h => tileOf(m, k - 1, h)))]
      : [];
    const focused = room.contains(document.activeElement)
      ? document.activeElement.dataset.head
      : null;
    room.replaceChildren(...heads, el("div", {class: "seen"}, inside, ...close), foot);
    if (focused)
      room.querySelector(`[data-head="${focused}"]`)?.focus({preventScroll: true});
  }

  // Sets the canvases to what the page has made of their places, and draws.
  function draw() {
    const width = place.clientWidth;
    if (!m.d || !parts.length || width < 200) return; // there is no room yet
    const {d} = m;
    const [left, right] = [26, width - 96];
    N.gap = d.n > 1 ? (right - left) / (d.n - 1) : 0;
    N.y = i => left + N.gap * i;
    names.style.setProperty("--gap", `${N.gap}px`);
    if (inside?.isConnected && s.open >= 0) paintInside(); // sets its height
    N.x = parts.map(({item}) => item.offsetTop);
    N.w = parts.map((_, k) => (k ? LAYER : FIRST));
    const end = (N.x.at(-1) ?? 0) + LAYER;
    Object.assign(N, {
      o: N.x.map(() => 0),
      cmp: Number(s.cmp),
      left: NAMES + 2,
      right: end + 30,
    });
    Object.assign(N, {panelTop: 4, panelBottom: width - 88, top: left, bottom: right});
    names.classList.toggle("dense", N.gap < 23);
    paint();
  }

  function paint() {
    if (!(N.gap > 0)) return;
    const ratio = Math.min(2.5, devicePixelRatio || 1);
    const [w, h] = [place.clientWidth, N.right + 6];
    const ctx = sized(behind, w, h, ratio);
    ctx.setTransform(0, ratio, ratio, 0, 0, 0); // across is down
    const L = {
      ...N,
      x: [NAMES - 4, ...N.x.slice(1)],
      w: [N.x[0] + FIRST - NAMES + 4, ...N.w.slice(1)],
    };
    drawWhole({...m, ctx, L, W: h, H: w, turned: true});
    if (inside?.isConnected && s.open >= 0) paintInside();
  }

  function paintInside() {
    const ratio = Math.min(2.5, devicePixelRatio || 1);
    const w = inside.parentElement.clientWidth;
    const {d} = m;
    if (s.inHead) {
      const ctx = sized(inside, w, 118 + ROW * d.n + 58, ratio);
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      const L = {
        ...N,
        top: 130,
        gap: ROW,
        y: i => 130 + ROW * i,
        bottom: 130 + ROW * (d.n - 1),
      };
      const R = {x: 0, y: 0, w, h: 118 + ROW * d.n + 54};
      if (d.ready(s.row)) drawHead({...m, ctx, L, slim: true}, s.open - 1, R);
      return;
    }
    const steps = d.ready(s.row) ? stepsDown(m) : [];
    const ctx = sized(inside, w, 16 + 46 * (s.open ? 6 : 5), ratio);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    tableDown({...m, ctx}, steps, w);
  }

  m.reach = (at, layer) => {
    const open = parts[s.open]?.item;
    const places = {
      sentence: "#sentence",
      all: "#sentence",
      tokens: ".names",
      lens: ".layers",
    };
    const target =
      at === "ribbons"
        ? parts[layer + 1].item
        : document.querySelector(places[at] ?? ".layers");
    const seen = s.inHead ? inside : (open ?? target);
    seen.scrollIntoView({
      block: "start",
      behavior: m.still() ? "auto" : "smooth",
    });
  };
  return {build, say, draw, paint};
}

function sized(canvas, w, h, ratio) {
  const [wide, high] = [Math.round(w * ratio), Math.round(h * ratio)];
  if (canvas.width !== wide || canvas.height !== high) {
    Object.assign(canvas, {width: wide, height: high});
    Object.assign(canvas.style, {width: `${w}px`, height: `${h}px`});
  }
  const ctx = canvas.getContext("2d");
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.clearRect(0, 0, wide, high);
  return ctx;
}

function nameButton(d, i, onclick) {
  const hidden = d.tokens[i] === "[MASK]";
  const look = {type: "button", style: `--i: ${i}`, onclick};
  if (hidden)
    return el(
      "button",
      {...look, class: "hidden", "aria-label": "the hidden word, [MASK]"},
      "?"
    );
  return el(
    "button",
    {...look, class: d.special(i) ? "special" : null},
    shown(d.tokens[i])
  );
}

function guessSaid({s, b}, [[piece, share]], k) {
  const other = s.cmp && b?.guesses(k, s.row)?.[0];
  if (!other) return [shown(piece), el("small", {}, percent(share))];
  return [
    shown(piece),
    el("small", {}, other[0] === piece ? "in both" : shown(other[0])),
  ];
}

// A head as a small picture that opens it.
function tileOf(m, l, h) {
  const {d, s} = m;
  const best = mostOf(d, l, h, s.row);
  const share = percent(d.weight(l, h, s.row, best));
  const canvas = el("canvas", {"aria-hidden": "true"});
  const told = el(
    "small",
    {class: d.special(best) ? "plain" : null},
    `${shown(d.tokens[best])} ${share}`
  );
  const label = `Head ${h}: ${nameOf(d, s.row)} gives most, ${share}, to ${quoted(d.tokens[best])}`;
  const look = {
    type: "button",
    "data-head": h,
    "aria-label": label,
    "aria-pressed": String(s.head === h),
  };
  const again = () => (s.inHead && s.head === h ? m.act.up() : m.act.openHead(h));
  const button = el(
    "button",
    {...look, onclick: again},
    el("b", {}, String(h)),
    canvas,
    told
  );
  const ctx = sized(canvas, 62, 46, 2);
  ctx.setTransform(0, 2, 2, 0, 0, 0);
  weave(
    {...m, ctx, L: {cmp: 0}},
    l,
    h,
    2,
    44,
    i => 5 + (52 * i) / Math.max(1, d.n - 1),
    {most: 6, faint: 0.5}
  );
  return button;
}
