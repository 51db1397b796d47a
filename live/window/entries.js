// The browser's history: what opens is an entry of its own, so that Back closes it and
// stays in the page. An entry tells how deep it is, how many of ours lie below it, and to
// which line of entries it belongs.

// How much there is to close: a part, and a head in it; a tour as one.
const depthOf = s => (s.touring >= 0 ? 1 : s.inHead ? 2 : Number(s.open >= 0));

// act: {fragment, read}, of the address. Returns {note, begin}.
export function entriesOf(m, act) {
  const {s} = m;
  const alone = window === window.top; // a frame's entries are among its page's
  let going = false; // to an earlier entry, or closing what it does not hold
  let line = null;
  const ours = () => history.state?.machine ?? null;

  function write(how, entry, ...url) {
    line = entry.line;
    try {
      history[how]({machine: entry}, "", ...url);
    } catch {
      // A browser may refuse many addresses in a row, or in a frame all of them.
    }
  }

  // What is shown goes into the address.
  function note() {
    if (going) return;
    const url = `${location.href.split("#")[0]}#${act.fragment()}`;
    const depth = depthOf(s);
    const was = ours() ?? {depth, below: 0, line: Date.now()};
    if (alone && depth > was.depth)
      return write("pushState", {...was, depth, below: was.below + 1}, url);
    const back = Math.min(was.below, was.depth - depth);
    if (back <= 0) return write("replaceState", {...was, depth}, url);
    going = true;
    history.go(-back);
  }

  // What an address has set is no step of the reader's.
  function begin() {
    const was = ours() ?? {below: 0, line: Date.now()};
    write("replaceState", {...was, depth: depthOf(s)});
  }

  function closeTo(depth) {
    going = true;
    while (depthOf(s) > depth) {
      if (s.touring >= 0) m.tour.leave();
      else m.act.up();
    }
    going = false;
    note();
  }

  addEventListener("popstate", () => {
    const entry = ours();
    if (going) {
      going = false;
      return note();
    }
    if (!entry) return; // an address that was typed: hashchange tells
    if (entry.line !== line || entry.depth > depthOf(s)) return act.read();
    closeTo(entry.depth);
  });
  addEventListener("hashchange", () => ours() ?? act.read());
  return {note, begin};
}
