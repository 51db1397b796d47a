// The machine in its window: what is shown, and what can be done with it.
import {el} from "../components.js";
import {range} from "../model/numbers.js";
import {aboutOf} from "./about.js";
import {addressOf} from "./address.js";
import {captionOf, guessesSaid} from "./caption.js";
import {columnOf} from "./column.js";
import {drawInside, drawMoving} from "./inside.js";
import {keys} from "./keys.js";
import {blend, firstLayout, LEAST, wanted, zoomOf} from "./layout.js";
import {motion, outwards, still as stilled} from "./motion.js";
import {ownOf} from "./own.js";
import {lerp} from "./paint.js";
import {partsOf} from "./parts.js";
import {fewer, keptOf} from "./reading.js";
import {sentenceOf} from "./sentence.js";
import {loader, pairsOf} from "./stored.js";
import {theme} from "./theme.js";
import {tourOf} from "./tour.js";
import {drawWhole} from "./whole.js";

const MOST = 22; // rows that are drawn
const $ = query => document.querySelector(query);
const OWN = -1; // the pair that a reader has typed

export async function start() {
  const page = JSON.parse($("#machine-page").textContent);
  const {pair: pairAt, fill} = pairsOf(loader(page.folder));
  const canvas = $("#stage canvas");
  const m = {
    ...{
      page,
      s: {pair: 0, side: 0, row: 0, open: -1, head: null, inHead: false},
      W: 0,
      H: 0,
    },
    ...{
      ctx: canvas.getContext("2d"),
      C: {},
      F: {},
      L: firstLayout(),
      zoom: 1,
      OWN,
      pairAt,
    },
  };
  Object.assign(m.s, {cmp: false, p: 1, touring: -1});
  const {s, L} = m;
  const {animate, stop, moving} = motion(() => paint());
  const parts = partsOf(m, $("#parts"), {
    ...{open, openHead, follow, up, play},
    ask: step => about.open(step),
  });

  // ---- what is seen ----
  function paint() {
    if (!m.d) return;
    if (m.narrow) return column.paint();
    const ratio = Math.min(2.5, (devicePixelRatio || 1) * m.zoom);
    const [w, h] = [Math.round(m.W * ratio), Math.round(m.H * ratio)];
    if (canvas.width !== w || canvas.height !== h)
      Object.assign(canvas, {width: w, height: h});
    const resting = !moving("layout", "reveal");
    m.ctx.setTransform(1, 0, 0, 1, 0, 0);
    m.ctx.clearRect(0, 0, w, h);
    if (resting) m.ctx.drawImage(still(w, h, ratio), 0, 0);
    m.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!resting) drawStill(m);
    drawMoving(m);
    if (!resting || kept.put !== kept.key) parts.put();
    kept.put = resting && kept.key;
  }

  // What stands still while the inside of a part moves is drawn once.
  const kept = {canvas: el("canvas"), key: "", put: ""};
  function still(w, h, ratio) {
    const {row, open, head, inHead, cmp} = s;
    const ready = m.d.ready(row);
    const known = open > 0 && m.d.adds(open - 1, 0, row) !== null;
    const key = [
      m.d.key,
      row,
      open,
      head,
      inHead,
      cmp,
      ready,
      known,
      m.C.paper,
      w,
      h,
    ].join();
    if (key !== kept.key) {
      Object.assign(kept.canvas, {width: w, height: h});
      const ctx = kept.canvas.getContext("2d");
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawStill({...m, ctx});
      kept.key = key;
    }
    return kept.canvas;
  }

  function drawStill(v) {
    drawWhole(v);
    drawInside(v);
  }

  function say() {
    if (!m.d) return;
    $("#caption").replaceChildren(...captionOf(m));
    $("#guesses").replaceChildren(...guessesSaid(m).map(told => el("li", {}, told)));
    if (s.pair === OWN) own.say();
    else
      $("#sentence").replaceChildren(
        ...sentenceOf(m, {swap, compare}, tour.tells()),
        intro
      );
    const chosen = s.pair === OWN ? page.pairs.length : s.pair;
    [...$(".tabs").children].forEach((tab, i) =>
      tab.setAttribute("aria-pressed", i === chosen)
    );
    heads.say();
    if (m.narrow) column.say();
    else parts.say();
    address.note();
    about.say();
  }

  function settle(ms = 520) {
    const from = structuredClone({...L, y: null});
    const to = wanted(m);
    animate(
      "layout",
      ms,
      t => blend(L, from, to, outwards(t), m.d.n),
      () => parts.say()
    );
  }

  // What happens inside the open part, from one share of it to another.
  function play(from = 0, to = 1) {
    s.p = from;
    const all = s.inHead ? 4600 : s.open === 0 ? 2200 : 2600;
    animate("inside", all * (to - from), t => (s.p = lerp(from, to, t)));
  }

  function changed(ms) {
    say();
    if (!m.narrow) settle(ms);
  }

  // ---- what can be done ----
  async function withVectors(act) {
    try {
      await fill(m.full, m.d.kept ? m.d.kept[s.row] : s.row);
      act();
    } catch (problem) {
      $("#caption").replaceChildren(problem.message);
    }
  }

  function open(k, head = null) {
    const before = s.open;
    Object.assign(s, {open: k, inHead: k > 0 && head !== null, head, p: 1});
    if (head !== null) s.lastHead = head;
    if (k >= 0) s.cmp = false;
    changed();
    if (k < 0 || (k === before && head === null)) return;
    s.p = 0;
    withVectors(() =>
      animate(
        "wait",
        before < 0 ? 320 : 60,
        () => {},
        () => s.open === k && play()
      )
    );
    if (k > 0) own.needAdds();
  }

  function openHead(h) {
    open(s.open, h);
  }

  function up() {
    if (m.narrow && s.inHead) return open(s.open);
    if (s.inHead) {
      const head = s.head;
      Object.assign(s, {inHead: false, head: null, p: 1});
      changed();
      parts.focus("tiles", head ?? 0);
    } else if (s.open >= 0) {
      const k = s.open;
      open(-1);
      parts.focus("cols", k);
    }
  }

  function follow(i) {
    const place = m.d.kept ? m.d.kept[i] : i;
    if (!m.full.guesses(0, place)) own.want(place);
    show(place);
    parts.focus("tokens", s.row);
    changed(200);
    if (s.open >= 0) withVectors(() => play());
    if (s.open > 0) own.needAdds();
  }

  function compare(on) {
    s.cmp = on;
    if (on) Object.assign(s, {open: -1, inHead: false, head: null});
    changed();
    $("#compare")?.focus({preventScroll: true});
  }

  const swap = () => choose(s.pair, 1 - s.side).then(() => $(".swap")?.focus());

  // Shows the followed row `place` of the reading, with as many others as there is room for.
  function show(place) {
    const kept = keptOf(m.full, place, MOST);
    const whole = kept.length === m.full.n;
    const was = m.d?.kept;
    m.d = whole ? m.full : fewer(m.full, kept);
    m.b = m.other && (whole ? m.other : fewer(m.other, kept));
    s.row = kept.indexOf(place);
    if (!whole || was) rebuilt();
  }

  function rebuilt() {
    if (m.narrow) return column.build();
    parts.build();
    blend(L, {}, wanted(m), 1, m.d.n);
  }

  // one: a reading's view. pair: what it and the other have in common, or null.
  function set(one, other, pair, place) {
    Object.assign(m, {full: one, other, pair});
    m.d = null;
    show(place);
    rebuilt();
    document.body.classList.remove("loading");
  }

  // A pair of the page; what is open stays open where the pair is the same.
  async function choose(number, side = 0, quiet = false) {
    const same = number === s.pair && m.full;
    if (same && side === s.side && quiet) return;
    let pair;
    try {
      pair = await pairAt(number);
    } catch (problem) {
      $("#caption").replaceChildren(problem.message);
      return;
    }
    const [one, other] = side ? [pair.b, pair.a] : [pair.a, pair.b];
    const turned = rows => rows.map(([word, p, q]) => [word, q, p]);
    const both = Object.fromEntries(
      Object.entries(pair.both).map(([k, rows]) => [k, side ? turned(rows) : rows])
    );
    const row = same ? s.row : one.hidden >= 0 ? one.hidden : one.place;
    Object.assign(s, {pair: number, side});
    if (!same && !quiet) Object.assign(s, {open: -1, inHead: false, head: null});
    set(one, other, {apart: pair.apart, both}, row);
    changed(0);
    if (s.open >= 0) withVectors(() => play());
    else if (!m.narrow) reveal();
    else withVectors(() => {});
    if (!moving()) paint();
  }

  function reveal() {
    L.reveal = 0;
    const soft = t => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) ** 2);
    animate(
      "reveal",
      600,
      t => (L.reveal = soft(t)),
      () => withVectors(() => {})
    );
  }

  // ---- the window ----
  function size() {
    const [width, height] = [innerWidth, innerHeight];
    const was = m.narrow;
    m.narrow = width < LEAST.width || height < LEAST.height;
    document.body.classList.toggle("column", m.narrow);
    m.zoom = m.narrow ? 1 : zoomOf(width, height);
    [m.W, m.H] = [width / m.zoom, height / m.zoom];
    L.rows = m.H < 800 ? 6 : 8;
    document.body.classList.toggle("tight", m.W < 1400);
    const look = m.narrow
      ? {width: "", height: "", transform: ""}
      : {
          width: `${m.W}px`,
          height: `${m.H}px`,
          transform: m.zoom === 1 ? "" : `scale(${m.zoom})`,
        };
    Object.assign(document.body.style, look);
    if (!m.d) return;
    if (was !== m.narrow) {
      rebuilt();
      say();
    }
    if (m.narrow) return column.draw();
    blend(L, {}, wanted(m), 1, m.d.n);
    parts.say();
    paint();
    tour.size();
  }

  const act = {
    open,
    openHead,
    follow,
    up,
    compare,
    choose,
    swap,
    play,
    changed,
    set,
    settle,
    show,
  };
  Object.assign(m, {
    act,
    animate,
    stop,
    withVectors,
    say,
    paint,
    moving,
    still: stilled,
  });
  const intro = el(
    "p",
    {class: "intro"},
    "BERT reads the whole sentence and guesses the hidden word. Every line here is computed by the model."
  );
  const about = aboutOf(m);
  const heads = headsOf(m);
  const own = ownOf(m);
  const tour = tourOf(m);
  const address = addressOf(m);
  const column = columnOf(m, $("#column"));
  Object.assign(m, {about, own, tour, address});
  tabs(m);
  keys(m);
  theme(m, () => (m.narrow ? column.draw() : paint()));
  size();
  addEventListener("resize", size);
  await address.read();
  globalThis.machine = m;
}

// A button for each pair of the page, and one for a reader's own.
function tabs(m) {
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
function headsOf(m) {
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

if (globalThis.document?.querySelector?.("#machine-page")) start();
