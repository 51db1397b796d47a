// Which sentence is shown, and which of its rows.
import {blend, rowsFor, wanted} from "./layout.js";
import {fewer, keptOf} from "./reading.js";

export function choiceOf(m) {
  const {s, L, act} = m;

  // Shows the followed row `place` of the reading, with as many others as there is room for.
  function show(place) {
    const kept = keptOf(m.full, place, rowsFor(m));
    const whole = kept.length === m.full.n;
    const was = m.d?.kept;
    m.d = whole ? m.full : fewer(m.full, kept);
    m.b = m.other && (whole ? m.other : fewer(m.other, kept));
    s.row = kept.indexOf(place);
    if (!whole || was) rebuilt();
  }

  function rebuilt() {
    if (m.narrow) return m.column.build();
    m.parts.build();
    blend(L, {}, wanted(m), 1, m.d.n);
  }

  // one: a reading's view. pair: what it and the other have in common, or null.
  function set(one, other, pair, place) {
    Object.assign(m, {full: one, other, pair});
    m.d = null;
    show(place);
    rebuilt();
    document.body.classList.remove("loading", "stale");
  }

  // A pair of the page; what is open stays open where the pair is the same.
  async function choose(number, side = 0, quiet = false) {
    const same = number === s.pair && m.full;
    if (same && side === s.side && quiet) return;
    let pair;
    try {
      pair = await m.pairAt(number);
    } catch (problem) {
      document.querySelector("#caption").replaceChildren(problem.message);
      return;
    }
    const [one, other] = side ? [pair.b, pair.a] : [pair.a, pair.b];
    const row = same ? s.row : one.hidden >= 0 ? one.hidden : one.place;
    Object.assign(s, {pair: number, side});
    if (!same && !quiet) close();
    set(
      one,
      other,
      {apart: pair.apart, both: side ? turned(pair.both) : pair.both},
      row
    );
    act.changed(0);
    if (s.open >= 0) m.withVectors(() => act.play());
    else if (!m.narrow) reveal();
    else m.withVectors(() => {});
    if (!m.moving()) m.paint();
  }

  function close() {
    Object.assign(s, {open: -1, inHead: false, head: null});
    Object.assign(s, {cmp: s.cmp || s.waits, waits: false});
  }

  function reveal() {
    L.reveal = 0;
    const soft = t => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) ** 2);
    m.animate(
      "reveal",
      600,
      t => (L.reveal = soft(t)),
      () => m.withVectors(() => {})
    );
  }

  return {show, rebuilt, set, choose};
}

// What two texts guess in common, with the second text first.
const turned = both =>
  Object.fromEntries(
    Object.entries(both).map(([k, rows]) => [
      k,
      rows.map(([word, p, q]) => [word, q, p]),
    ])
  );
