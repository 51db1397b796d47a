// A reader of words whose model gives every tensor numbers of its own, for the tests.
export const [LAYERS, HEADS, WIDTH, WIDE] = [2, 2, 4, 6];
const made = (n, seed) => Float32Array.from({length: n}, (_, i) => Math.sin(seed + i));

export const reader = {
  tokens(text) {
    const tokens = ["[CLS]", ...text.split(" "), "[SEP]"];
    return {tokens, ids: tokens.map((_, i) => i), segments: tokens.map(() => 0)};
  },
  tokenizer: {id_to_token: id => `piece ${id}`},
  async run(asked, ids, _segments, chosen, {off = []} = {}) {
    const names = [asked].flat();
    const n = ids.length;
    const shapes = {
      attention: [LAYERS, HEADS, n, n],
      states: [LAYERS + 1, n, WIDTH],
      logits: [chosen.length, 12],
      transformed: [chosen.length, WIDTH],
    };
    const shaped = names.map((name, seed) => {
      const dims = shapes[name] ?? [n, name.startsWith("wide") ? WIDE : WIDTH];
      const size = dims.reduce((a, b) => a * b);
      return [name, {dims, data: made(size, seed + n + (off[0] ?? 0) / 9)}];
    });
    const found = Object.fromEntries(shaped);
    return Array.isArray(asked) ? found : found[asked];
  },
};
