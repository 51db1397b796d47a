// What moves, by name: one movement of a name at a time, and one frame for all.
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
export const outwards = t => 1 - (1 - t) ** 3.2;

// paint: draws what is to be seen now. Returns {animate, stop, moving}.
export function motion(paint) {
  const running = new Map();
  let asked = false;

  function tick() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(frame);
  }

  function frame(now) {
    asked = false;
    for (const [name, one] of [...running]) {
      const t = Math.min(1, Math.max(0, (now - one.start) / one.ms));
      one.step(t);
      if (t < 1) continue;
      if (running.get(name) === one) running.delete(name);
      one.done?.();
    }
    paint();
    if (running.size) tick();
  }

  return {
    // step: called with 0 to 1. Where motion is reduced, once with 1.
    animate(name, ms, step, done) {
      if (still() || ms <= 0) {
        running.delete(name);
        step(1);
        done?.();
        paint();
        return;
      }
      running.set(name, {start: performance.now(), ms, step, done});
      tick();
    },
    stop: name => running.delete(name),
    // Whether one of these moves, or any at all.
    moving: (...names) =>
      names.length ? names.some(name => running.has(name)) : running.size > 0,
  };
}
