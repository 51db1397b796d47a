// The machine in its window: what is shown, and what can be done with it.
import {el} from "../components.js";
import {aboutOf} from "./about.js";
import {addressOf} from "./address.js";
import {headsOf, tabs} from "./buttons.js";
import {captionOf, guessesSaid} from "./caption.js";
import {choiceOf} from "./choice.js";
import {columnOf} from "./column.js";
import {drawGround, groundOf} from "./ground.js";
import {drawMoving} from "./inside.js";
import {keys} from "./keys.js";
import {blend, firstLayout, fit, wanted} from "./layout.js";
import {motion, outwards, still as stilled} from "./motion.js";
import {ownOf} from "./own.js";
import {lerp} from "./paint.js";
import {partsOf} from "./parts.js";
import {sentenceOf} from "./sentence.js";
import {loader, pairsOf} from "./stored.js";
import {theme} from "./theme.js";
import {tourOf} from "./tour.js";

const $ = query => document.querySelector(query);
const OWN = -1; // the pair that a reader has typed

export async function start() {
  const page = JSON.parse($("#machine-page").textContent);
  const {pair: pairAt, fill} = pairsOf(loader(page.folder));
  const canvas = $("#stage canvas");
  const s = {pair: 0, side: 0, row: 0, open: -1, head: null, inHead: false};
  // waits: two texts are compared again once no part is open.
  Object.assign(s, {cmp: false, waits: false, p: 1, touring: -1});
  const L = firstLayout();
  const m = {page, s, L, W: 0, H: 0, C: {}, F: {}, zoom: 1, OWN, pairAt};
  m.ctx = canvas.getContext("2d");
  const {animate, stop, moving} = motion(() => paint());
  const parts = partsOf(m, $("#parts"), {
    ...{open, openHead, follow, up, play},
    ask: (step, key) => about.open(step, key),
  });

  const ground = groundOf(m);
  let way = null; // {from, to, t}: two layouts, and how far between them

  // ---- what is seen ----
  function paint() {
    if (!m.d) return;
    if (m.narrow) return column.paint();
    const ratio = Math.min(2.5, (devicePixelRatio || 1) * m.zoom);
    m.ratio = ratio;
    const [w, h] = [Math.round(m.W * ratio), Math.round(m.H * ratio)];
    if (canvas.width !== w || canvas.height !== h)
      Object.assign(canvas, {width: w, height: h});
    const resting = !moving("layout");
    m.ctx.setTransform(1, 0, 0, 1, 0, 0);
    m.ctx.clearRect(0, 0, w, h);
    const come = Math.round(lerp((L.left - 20) * ratio, w, L.reveal));
    if (resting)
      m.ctx.drawImage(ground.drawn(w, h, ratio), 0, 0, come, h, 0, 0, come, h);
    m.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!resting) drawGround({...m, way});
    drawMoving(m);
    parts.put(resting && ground.key() + L.reveal);
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
    const to = wanted(m);
    const same = Object.keys(to).every(key => String(to[key]) === String(L[key]));
    const whole = part => blend({...L}, {}, part, 1, m.d.n);
    way = {from: whole(L), to: whole(to)};
    const {from} = way;
    animate(
      "layout",
      same ? 0 : ms,
      t => blend(L, from, to, (way.t = outwards(t)), m.d.n),
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
    const two = s.cmp || s.waits;
    Object.assign(s, {open: k, inHead: k > 0 && head !== null, head, p: 1});
    Object.assign(s, {cmp: two && k < 0, waits: two && k >= 0});
    if (head !== null) s.lastHead = head;
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
    act.show(place);
    parts.focus("tokens", s.row);
    changed(200);
    if (s.open >= 0) withVectors(() => play());
    if (s.open > 0) own.needAdds();
  }

  function compare(on) {
    Object.assign(s, {cmp: on, waits: false});
    if (on) Object.assign(s, {open: -1, inHead: false, head: null});
    changed();
    $("#compare")?.focus({preventScroll: true});
  }

  const swap = () => act.choose(s.pair, 1 - s.side).then(() => $(".swap")?.focus());

  // ---- the window ----
  function size() {
    const was = m.narrow;
    fit(m);
    if (!m.d) return;
    if (was !== m.narrow) {
      choice.show(m.d.kept ? m.d.kept[s.row] : s.row);
      choice.rebuilt();
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
    swap,
    play,
    changed,
    settle,
  };
  Object.assign(m, {act, animate, stop, withVectors, say, paint, moving, parts});
  m.still = stilled;
  const choice = choiceOf(m);
  Object.assign(act, choice);
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
  Object.assign(m, {about, own, tour, address, column});
  tabs(m);
  keys(m);
  theme(m, () => (m.narrow ? column.draw() : paint()));
  size();
  addEventListener("resize", size);
  await address.read();
  globalThis.machine = m;
}

if (globalThis.document?.querySelector?.("#machine-page")) start();
