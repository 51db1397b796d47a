// The arrow keys walk through the machine, and through the tour; Escape leads back.
export function keys(m) {
  const {s, act, parts} = m;
  // The focus goes along where it is on the drawing, or nowhere.
  const step = by => {
    const {d} = m;
    const along = parts.focused();
    if (s.inHead) act.openHead((s.head + by + d.H) % d.H);
    else act.open(Math.max(-1, Math.min(d.L, s.open + by)));
    if (!along) return;
    if (s.inHead) parts.focus("tiles", s.head);
    else parts.focus("cols", Math.max(0, s.open));
  };
  const row = by => act.follow((s.row + by + m.d.n) % m.d.n);
  const onTour = {
    Escape: () => m.tour.leave(),
    ArrowRight: () => m.tour.go(s.touring + 1),
    ArrowLeft: () => s.touring > 0 && m.tour.go(s.touring - 1),
  };
  const free = {
    Escape: () => (m.about.shown() ? m.about.close() : act.up()),
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    ArrowDown: () => row(1),
    ArrowUp: () => row(-1),
  };
  document.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !m.d)
      return;
    if (
      event.key !== "Escape" &&
      event.target.closest("input, textarea, select, .scrolls, #about")
    )
      return;
    if (m.narrow && event.key !== "Escape" && s.touring < 0) return;
    const act = (s.touring >= 0 ? onTour : free)[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
