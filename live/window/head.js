// One head, open: a query meets every key, scores become weights, values are gathered.
import {
  alpha,
  bar,
  cells,
  clamp,
  lerp,
  line,
  percent,
  phase,
  shown,
  signed,
  words,
} from "./paint.js";

// Where its columns stand in the frame R; slim: on a telephone.
export function columnsOf(R, slim = false) {
  if (slim) {
    const [kw, vw] = [R.w * 0.22, R.w * 0.2];
    const weight = 72 + kw + 46;
    const ww = R.w - weight - 58 - vw;
    return {
      name: 0,
      key: 72,
      kw,
      score: 72 + kw + 4,
      sw: 0,
      weight,
      ww,
      value: R.w - vw - 2,
      vw,
    };
  }
  const x = R.x + 128;
  const free = R.w - 148;
  const key = x + 76;
  const kw = free * 0.25;
  const score = key + kw + 10;
  const sw = free * 0.175;
  const weight = score + sw + 22;
  const ww = free * 0.125;
  const value = weight + ww + (R.w < 720 ? 56 : 66);
  return {name: x, key, kw, score, sw, weight, ww, value, vw: R.x + R.w - 20 - value};
}

export function drawHead(v, l, R) {
  const {ctx, d, L, s} = v;
  const h = s.head ?? s.lastHead ?? 0;
  const X = columnsOf(R, v.slim);
  const tall = Math.min(19, L.gap * 0.46);
  const view = {...v, l, h, X, tall, query: d.part("query", l, s.row, h)};
  view.scores = Array.from({length: d.n}, (_, j) => d.score(l, h, s.row, j));
  view.ends = R.y + R.h - 34; // where the sum stands
  const yq = R.y + 56;
  const name = shown(d.tokens[s.row]);
  words(v, `Layer ${l}, head ${h}`, X.name, R.y + 27, {size: 21, font: "serif"});
  alpha(ctx, phase(s.p, 0.02, 0.1), () => {
    const look = {align: "right", most: 72};
    words(v, "query", X.key - 12, yq + tall / 2 - 7, {
      ...look,
      size: 13.5,
      color: "query",
      weight: "bold",
    });
    words(v, `of ${name}`, X.key - 12, yq + tall / 2 + 9, {
      ...look,
      size: 12.5,
      color: "soft",
      most: v.slim ? 58 : 72,
    });
    cells(v, view.query, "query", X.key, yq, X.kw, tall);
  });
  const bold = {size: v.slim ? 12.5 : 13.5, weight: "bold"};
  words(v, "keys", X.key - 12, L.top - 28, {...bold, color: "key", align: "right"});
  const column = (x, one, two, color, show) =>
    alpha(ctx, show, () => {
      words(v, one, x, yq + tall / 2 - 7, {...bold, color});
      if (!v.slim) words(v, two, x, yq + tall / 2 + 9, {size: 12.5, color: "soft"});
    });
  const root = Number.isInteger(Math.sqrt(d.S)) ? Math.sqrt(d.S) : `√${d.S}`;
  column(
    X.score + (v.slim ? 0 : 6),
    "score",
    "query · key",
    "ink",
    phase(s.p, 0.1, 0.2)
  );
  column(
    X.weight,
    "weight",
    R.w < 720 ? "softmax" : `softmax of score ÷ ${root}`,
    "weights",
    phase(s.p, 0.46, 0.56)
  );
  column(X.value, "values", "× weight", "value", phase(s.p, 0.6, 0.7));
  for (let j = 0; j < d.n; j++) row(view, j);
  alpha(ctx, phase(s.p, 0.88, 1), () => found(view));
}

function row(v, j) {
  const {ctx, d, L, s, X, tall, l, h} = v;
  const [y, weight] = [L.y(j), d.weight(l, h, s.row, j)];
  const top = y - tall / 2;
  const chosen = weight > 0.3 && s.p > 0.6;
  const special = d.special(j);
  words(v, shown(d.tokens[j]), X.key - 12, y, {
    size: Math.min(16, L.gap * 0.8),
    font: special || d.tokens[j] === "[MASK]" ? "mono" : "serif",
    align: "right",
    color: chosen ? "weights" : special ? "faint" : "ink",
    most: v.slim ? 62 : 80,
  });
  const key = d.part("key", l, j, h);
  cells(v, key, "key", X.key, top, X.kw, tall);
  // The products, where query and key meet: the query comes down row by row.
  const sweep = clamp((s.p - 0.08) / 0.37) * (d.n + 1.4) - 0.6;
  const flash = clamp(sweep - j + 0.4) * (1 - clamp(sweep - j - 0.6));
  if (flash > 0.02) {
    const products = v.query.map((x, z) => x * key[z]);
    cells(v, products, "ink", X.key, top, X.kw, tall, {a: flash});
  }
  const start = 0.11 + (0.33 * j) / d.n;
  const slid = phase(s.p, start, start + 0.08);
  alpha(ctx, slid, () => score(v, j, y, lerp(X.key + X.kw - 30, X.score, slid)));
  const soft = phase(s.p, 0.46, 0.64);
  alpha(ctx, soft, () => share(v, weight, y, soft));
  values(v, j, y, weight);
}

// The score slides out of the products.
function score(v, j, y, x) {
  const {ctx, C, X, scores} = v;
  words(v, signed(scores[j].toFixed(1)), x + (v.slim ? 36 : 34), y, {
    size: 13.5,
    align: "right",
  });
  const [low, high] = [Math.max(0, -Math.min(...scores)), Math.max(0, ...scores)];
  const room = X.sw - 46;
  if (room < 10) return;
  const zero = x + 44 + (room * low) / (low + high || 1);
  const long = (room * scores[j]) / (low + high || 1);
  ctx.fillStyle = scores[j] > 0 ? C.soft : C.stream;
  ctx.fillRect(Math.min(zero, zero + long), y - 4, Math.abs(long), 8);
}

function share(v, weight, y, soft) {
  const {C, L, X} = v;
  const tall = Math.min(14, L.gap * 0.5);
  bar(v, X.weight, y - tall / 2, X.ww, tall, weight * soft, C.weights);
  const most = weight > 0.3;
  words(v, percent(weight), X.weight + X.ww + 50, y, {
    size: 13.5,
    align: "right",
    color: most ? "weights" : "soft",
    weight: most ? "bold" : "",
  });
}

// A value is as strong as its weight; then it falls into the sum.
function values(v, j, y, weight) {
  const {d, s, X, tall, l, h, ends} = v;
  const value = d.part("value", l, j, h);
  const scaled = lerp(1, 0.1 + 0.9 * weight, phase(s.p, 0.62, 0.76));
  const a = Math.max(0.15, scaled) * phase(s.p, 0, 0.06);
  cells(v, value, "value", X.value, y - tall / 2, X.vw, tall, {a});
  const fall = phase(s.p, 0.76, 0.92);
  if (fall <= 0 || fall >= 1) return;
  const at = lerp(y, ends, fall) - tall / 2;
  cells(v, value, "value", X.value, at, X.vw, tall, {
    a: 0.15 + 0.85 * weight,
    ground: false,
  });
}

function found(v) {
  const {ctx, d, s, C, X, tall, l, h, ends} = v;
  line(ctx, X.value, ends - tall / 2 - 9, X.value + X.vw, ends - tall / 2 - 9, C.line);
  cells(v, d.mixed(l, s.row, h), "value", X.value, ends - tall / 2, X.vw, tall + 2);
  words(v, "what the head found", X.value - 14, ends, {
    size: 15,
    font: "serif",
    align: "right",
  });
}
