// The tour: cards that move the machine, and a light on what they speak of.
import {el} from "../components.js";
import {CARDS} from "./cards.js";
import {columnsOf} from "./head.js";
import {frameOf, tile} from "./inside.js";
import {wanted} from "./layout.js";
import {tellingHead} from "./reading.js";

const $ = query => document.querySelector(query);
const WIDE = 560; // a card

export function tourOf(m) {
  const {s, act} = m;
  const [card, light] = [$("#card"), $("#spot")];
  const part = name => card.querySelector(name);
  let telling = null; // {l, h}: the head that the tour opens

  async function go(n) {
    if (n < 0) return;
    if (n >= CARDS.length) return leave();
    const first = s.touring < 0;
    s.touring = n;
    document.body.classList.add("touring");
    if (m.about.shown()) m.about.close();
    await act.choose(0, 0, true);
    if (!m.d) return;
    await m.withVectors(() => {});
    telling = tellingHead(m.d, m.d.place);
    show(CARDS[n]);
    say(n);
    if (m.narrow) m.reach(CARDS[n].at, telling.l);
    else spot();
    if (first) card.focus({preventScroll: true});
  }

  function show({show = {}}) {
    const {l, h} = telling;
    const open = show.layer ? l + 1 : (show.open ?? -1);
    const head = show.head ? h : null;
    const same =
      s.open === open && s.inHead === (head !== null) && s.cmp === Boolean(show.cmp);
    Object.assign(s, {row: m.d.place, open, head, inHead: head !== null});
    Object.assign(s, {cmp: Boolean(show.cmp), waits: false});
    if (head !== null) s.lastHead = head;
    m.stop("inside");
    s.p = show.play ? show.play[0] : 1;
    act.changed();
    if (!show.play) return;
    m.animate(
      "wait",
      same ? 60 : 420,
      () => {},
      () => s.touring >= 0 && act.play(...show.play)
    );
  }

  function say(n) {
    part("h2 b").textContent = CARDS[n].title;
    part("h2 span").textContent = `${n + 1} of ${CARDS.length}`;
    part("p").replaceChildren(...CARDS[n].text({d: m.d, b: m.b, ...telling}));
    part(".back").disabled = n === 0;
    part(".next").textContent = n === CARDS.length - 1 ? "Explore" : "Next";
    const dots = CARDS.map((_, i) => el("i", {class: i === n ? "on" : null}));
    $("#dots").replaceChildren(...dots);
  }

  // The card, and with it what leads on, keeps its place at the foot as long as it
  // covers nothing of what it speaks of.
  function spot() {
    const {W, H, zoom} = m;
    const {at} = CARDS[s.touring];
    const [x, y, w, h] = places(m, wanted(m), telling.l)[at](zoom);
    Object.assign(light.style, {
      transform: `translate(${x}px, ${y}px)`,
      width: `${w}px`,
      height: `${h}px`,
    });
    const tall = card.offsetHeight;
    const [above, foot] = [y - tall - 14, H - 20 - tall];
    const top = y + h > foot && above > 8 ? above : foot;
    const left = at === "all" ? 28 : Math.round((W - WIDE) / 2);
    card.style.transform = `translate(${left}px, ${Math.round(top)}px)`;
  }

  function leave() {
    s.touring = -1;
    document.body.classList.remove("touring");
    s.p = 1;
    m.stop("wait");
    m.stop("inside");
    act.changed();
    $("#start").focus({preventScroll: true});
  }

  $("#start").onclick = () => go(0);
  part(".next").onclick = () => go(s.touring + 1);
  part(".back").onclick = () => go(s.touring - 1);
  part(".leave").onclick = leave;
  return {
    ...{go, leave},
    size: () => s.touring >= 0 && spot(),
    // Whether the guess is said yet.
    tells: () => s.touring < 0 || s.touring >= CARDS.length - 2,
  };
}

// What can be lit, for the layout z: [x, y, width, height].
function places({s, d, W, H}, z, l) {
  const gap = (z.bottom - z.top) / (d.n - 1);
  const R = frameOf(z, Math.max(0, s.open));
  const X = columnsOf(R);
  const sums = tile(z, Math.max(1, s.open), 0, d.H).sums - 8; // the heads stand before
  const found = Math.min(X.weight - 14, X.value - 156); // where these words begin
  const tall = z.bottom - R.y - 42 + 28;
  const column = k => [z.x[k] + 1, z.panelTop, z.w[k] - 2, z.panelBottom - z.panelTop];
  return {
    sentence(zoom) {
      const box = $("#sentence p").getBoundingClientRect();
      const [x, y, w, h] = [box.left, box.top, box.width, box.height].map(
        at => at / zoom
      );
      return [x - 14, y - 8, w + 28, h + 16];
    },
    tokens: () => [z.left - 150, z.top - 34, 150, z.bottom - z.top + 68],
    column: () => column(s.open),
    stream: () => [z.left - 90, z.top + gap * s.row - 24, z.right - z.left + 90, 48],
    ribbons: () => [
      z.x[l + 1] + 1,
      z.panelTop,
      z.w[l + 1] * 0.6,
      z.panelBottom - z.panelTop - 28,
    ],
    attention: () => [R.x, R.y, sums - R.x, R.h],
    rest: () => [sums, R.y, R.x + R.w - sums, R.h],
    scores: () => [X.name - 4, R.y + 40, X.weight - X.name - 6, tall],
    weights: () => [X.score - 10, R.y + 42, X.value - X.score - 2, tall],
    values: () => [found, R.y + 42, R.x + R.w - found - 8, R.h - 50],
    lens: () => [16, z.panelBottom + 4, z.right + 44, 124],
    all: () => [8, 128, W - 16, H - 128 - 100],
  };
}
