// A small BERT at steps of its training, run in plain JavaScript. Its weights come in 8
// bits, those of a step as the difference from the step before.
import {softmax} from "./numbers.js";

// content: as `packed` of chapters/pretraining/learning.py writes it, a Uint8Array.
export class Learner {
  constructor(content) {
    const start = content.byteOffset;
    const after = 4 + new DataView(content.buffer, start).getUint32(0, true);
    this.about = JSON.parse(new TextDecoder().decode(content.subarray(4, after)));
    const rows = this.about.weights.reduce((sum, [, n]) => sum + n, 0);
    this.scales = new Float32Array(
      content.slice(after, after + 4 * rows).buffer // begins where a float may
    );
    this.whole = new Int8Array(content.slice(after + 4 * rows).buffer);
    this.size = this.whole.length / this.about.snapshots;
    for (let at = this.size; at < this.whole.length; at += 1)
      this.whole[at] += this.whole[at - this.size]; // wraps around, as NumPy's does
  }

  // The weights of a snapshot: {name: Float32Array}.
  weights(number) {
    let at = number * this.size;
    let row = 0;
    const found = {};
    for (const [name, rows, columns] of this.about.weights) {
      const values = Float32Array.from(
        this.whole.subarray(at, at + rows * columns),
        (whole, place) => whole * this.scales[row + Math.floor(place / columns)]
      );
      at += rows * columns;
      row += rows;
      found[name] = values;
    }
    return found;
  }

  // What a snapshot says of a text of known words: the likeliest words at [MASK] and
  // the attention of each head, layer by layer, n × n numbers each.
  answer(number, text) {
    const {pieces, layers, heads} = this.about;
    const tokens = ["[CLS]", ...text.split(" "), "[SEP]"];
    const ids = tokens.map(token => pieces.indexOf(token));
    const weights = this.weights(number);
    const {state, attention} = read(weights, ids, layers, heads);
    const shares = shareOf(weights, state[tokens.indexOf("[MASK]")]);
    const order = pieces.map((_, id) => id).sort((a, b) => shares[b] - shares[a]);
    const guesses = order.slice(0, 5).map(id => ({
      name: pieces[id],
      value: shares[id],
    }));
    return {number, tokens, guesses, attention, shares};
  }
}

function read(weights, ids, layers, heads) {
  const width = weights["embeddings.LayerNorm.bias"].length;
  const row = (name, at) => weights[name].subarray(at * width, (at + 1) * width);
  const table = name => `embeddings.${name}_embeddings.weight`;
  let state = ids.map((id, place) => {
    const parts = [row(table("word"), id), row(table("position"), place)];
    return row(table("token_type"), 0).map((x, i) => x + parts[0][i] + parts[1][i]);
  });
  const linear = (name, rows) => rows.map(x => product(weights, name, x));
  const normed = (name, rows, change) =>
    rows.map((x, i) => norm(weights, name, change ? plus(x, change[i]) : x));
  state = normed("embeddings.LayerNorm", state);
  const attention = [];
  for (let layer = 0; layer < layers; layer += 1) {
    const name = `encoder.layer.${layer}.`;
    const [query, key, value] = ["query", "key", "value"].map(part =>
      linear(`${name}attention.self.${part}`, state)
    );
    const size = width / heads;
    const mixed = ids.map(() => new Float32Array(width));
    for (let head = 0; head < heads; head += 1) {
      const own = rows => rows.map(x => x.subarray(head * size, (head + 1) * size));
      const keys = own(key);
      const looks = own(query).map(q =>
        softmax(keys.map(k => dot(q, k) / Math.sqrt(size)))
      );
      looks.forEach((shares, i) =>
        own(value).forEach((v, j) =>
          v.forEach((x, place) => (mixed[i][head * size + place] += shares[j] * x))
        )
      );
      attention.push(looks.flatMap(shares => [...shares]));
    }
    const projected = linear(`${name}attention.output.dense`, mixed);
    state = normed(`${name}attention.output.LayerNorm`, state, projected);
    const wide = linear(`${name}intermediate.dense`, state).map(x => x.map(gelu));
    const narrow = linear(`${name}output.dense`, wide);
    state = normed(`${name}output.LayerNorm`, state, narrow);
  }
  return {state, attention};
}

// The share of each word at a place.
function shareOf(weights, state) {
  const head = "predictions.transform.";
  const dense = product(weights, `${head}dense`, state).map(gelu);
  const row = norm(weights, `${head}LayerNorm`, dense);
  weights["words.weight"] = weights["embeddings.word_embeddings.weight"];
  weights["words.bias"] = weights["predictions.bias"];
  return softmax(product(weights, "words", row));
}

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const plus = (a, b) => a.map((x, i) => x + b[i]);

function product(weights, name, x) {
  const weight = weights[`${name}.weight`];
  return weights[`${name}.bias`].map(
    (bias, i) => bias + dot(x, weight.subarray(i * x.length, (i + 1) * x.length))
  );
}

function norm(weights, name, x) {
  const mean = x.reduce((sum, y) => sum + y, 0) / x.length;
  const spread = x.reduce((sum, y) => sum + (y - mean) ** 2, 0) / x.length;
  const [scale, shift] = [weights[`${name}.weight`], weights[`${name}.bias`]];
  return x.map(
    (y, i) => ((y - mean) / Math.sqrt(spread + 1e-12)) * scale[i] + shift[i]
  );
}

// By the error function, of Abramowitz and Stegun 7.1.26, right to 1.5e-7.
function gelu(x) {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const terms = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
  const sum = terms.reduceRight((rest, term) => t * (term + rest), 0);
  const erf = 1 - sum * Math.exp(-z * z);
  return 0.5 * x * (1 + Math.sign(x) * erf);
}
