// What the worker and the drawings compute alike.

export function softmax(logits) {
  const highest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const powers = Float32Array.from(logits, value => Math.exp(value - highest));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map(power => power / total);
}

// The places of the n largest values, largest first.
export function largest(values, n) {
  const best = [];
  values.forEach((value, place) => {
    if (best.length === n && value <= values[best[n - 1]]) return;
    const at = best.findIndex(other => value > values[other]);
    best.splice(at < 0 ? best.length : at, 0, place);
    best.length = Math.min(best.length, n);
  });
  return best;
}

export const length = values => Math.hypot(...values);
export const range = n => Array.from({length: n}, (_, i) => i);

export const without = (object, ...names) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
