// The state in the address: #s=1&open=5&head=11, a card of the tour, a reader's text.
import {entriesOf} from "./entries.js";

// What no whole number between these is sets nothing.
export const number = (text, least, most) => {
  const value = /^\d{1,4}$/.test(text ?? "") ? Number(text) : -1;
  return value >= least && value <= most ? value : null;
};

export function addressOf(m) {
  const {s} = m;
  let reading = false; // what an address sets is not noted again
  const entries = entriesOf(m, {fragment, read});

  function fragment() {
    if (s.touring >= 0) return `tour-${s.touring + 1}`;
    const values = {};
    if (s.pair === m.OWN) Object.assign(values, m.own.texts());
    else {
      values.s = s.pair;
      if (s.side) values.side = s.side;
    }
    const {full, d} = m;
    const place = d.kept ? d.kept[s.row] : s.row;
    if (place !== (full.hidden >= 0 ? full.hidden : full.place)) values.row = place;
    if (s.open >= 0) values.open = s.open ? s.open - 1 : "embeddings";
    if (s.head !== null) values.head = s.head;
    if (s.cmp || s.waits) values.compare = 1;
    return new URLSearchParams(values).toString();
  }

  function note() {
    if (!reading && m.d) entries.note();
  }

  async function read() {
    reading = true;
    const hash = location.hash.slice(1);
    const values = new URLSearchParams(hash);
    const card = /^tour(?:-(\d+))?$/.exec(hash);
    const {pairs} = m.page;
    const own = values.get("text");
    const pair = number(values.get("s"), 0, pairs.length - 1) ?? 0;
    const opens = values.get("open");
    const state = {
      open: opens === "embeddings" ? 0 : 1 + (number(opens, 0, 98) ?? -2),
      head: number(values.get("head"), 0, 99),
      row: number(values.get("row"), 0, 999),
      compare: values.get("compare") === "1",
    };
    if (!card && s.touring >= 0) m.tour.leave();
    await m.act.choose(pair, number(values.get("side"), 0, 1) ?? 0);
    if (card) await m.tour.go((number(card[1], 1, 99) ?? 1) - 1);
    else if (own) m.own.begin(own, values.get("other") ?? "", state);
    else if (m.d) set(state);
    reading = false;
    entries.begin();
  }

  // What does not fit is left out.
  function set({open, head, row, compare}) {
    const {d} = m;
    const {hidden, place, n} = m.full;
    const usual = hidden >= 0 ? hidden : place;
    m.act.show(row !== null && row < n ? row : usual);
    const h = head !== null && head < d.H ? head : null;
    Object.assign(s, {open: -1, inHead: false, head: h, waits: false});
    s.cmp = compare && Boolean(m.pair);
    if (open >= 0 && open <= d.L) m.act.open(open, open > 0 ? h : null);
    else m.act.changed(0);
  }

  return {note, read, set};
}
