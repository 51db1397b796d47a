// What all that is drawn is made of. `v` is {ctx, d, b, pair, L, s, C, F, W, H}: the
// drawing, the reading, the other one, both as a pair, the layout as it is at this
// moment, the state, colours, fonts and the size of the window.
export const lerp = (a, b, t) => a + (b - a) * t;
export const clamp = (x, a = 0, b = 1) => Math.min(b, Math.max(a, x));
const ease = t => (t < 0.5 ? 4 * t ** 3 : 1 - (-2 * t + 2) ** 3 / 2);
// The share of a part of the whole time p that has gone by.
export const phase = (p, from, to) => ease(clamp((p - from) / (to - from)));

export const percent = p => {
  if (p >= 0.0995) return `${Math.round(100 * p)}\u00a0%`;
  return p >= 0.00095 ? `${(100 * p).toFixed(1)}\u00a0%` : "<\u00a00.1\u00a0%";
};
// No minus before what is written as 0.
export const signed = text => (Number(text) === 0 ? text.replace("-", "") : text);
export const shown = piece => piece.replace(/^##/, "…");

export function alpha(ctx, a, f) {
  if (a <= 0.004) return;
  const was = ctx.globalAlpha;
  ctx.globalAlpha = was * Math.min(1, a);
  f();
  ctx.globalAlpha = was;
}

export function words(v, text, x, y, look = {}) {
  const {size = 13, font = "sans", color = "ink", align = "left"} = look;
  const {weight = "", base = "middle", most} = look;
  const {ctx} = v;
  ctx.font = `${weight} ${size}px ${v.F[font]}`.trim();
  ctx.fillStyle = v.C[color] ?? color;
  ctx.textAlign = align;
  ctx.textBaseline = base;
  ctx.fillText(text, x, y, most);
}

export const round = (ctx, x, y, w, h, r) => {
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, r);
};

export function line(ctx, x0, y0, x1, y1, color, width = 1) {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.stroke();
}

// A bar with round ends, as long as `share` of its track.
export function bar(
  {ctx, C},
  x,
  y,
  w,
  h,
  share,
  color,
  {track = true, r = h / 2} = {}
) {
  if (track) {
    round(ctx, x, y, w, h, r);
    ctx.fillStyle = C.hair;
    ctx.fill();
  }
  round(ctx, x, y, Math.max(2.5, w * share), h, r);
  ctx.fillStyle = color;
  ctx.fill();
}

// Where something is added to a line.
export function ring(v, x, y, r, color, plus = true) {
  const {ctx, C} = v;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
  ctx.fillStyle = C.paper;
  ctx.fill();
  ctx.strokeStyle = C[color];
  ctx.lineWidth = 1.4;
  ctx.stroke();
  if (!plus || r < 3.5) return;
  line(ctx, x - r * 0.55, y, x + r * 0.55, y, C[color], 1.2);
  line(ctx, x, y - r * 0.55, x, y + r * 0.55, C[color], 1.2);
}

// A ribbon from one row to another.
export function ribbon(ctx, x0, y0, x1, y1, width, color, a) {
  alpha(ctx, a, () => {
    const m = (x0 + x1) / 2;
    ctx.beginPath();
    ctx.moveTo(x0, y0);
    ctx.bezierCurveTo(m, y0, m, y1, x1, y1);
    ctx.strokeStyle = color;
    ctx.lineWidth = width;
    ctx.stroke();
  });
}

// All ribbons of a layer between two upright lines; those of the followed row are told
// from the rest, those that rest on an end of the text are grey.
export function weave(v, l, head, x0, x1, yOf, {most = 11, a = 1, faint = 1} = {}) {
  const {ctx, d, s, C} = v;
  const cmp = v.b ? v.L.cmp : 0;
  for (const own of [false, true])
    for (let i = 0; i < d.n; i++) {
      if ((i === s.row) !== own) continue;
      for (let j = 0; j < d.n; j++) {
        const w = d.weight(l, head, i, j);
        if (cmp > 0) difference(v, [l, head, i, j], [x0, x1, yOf], most, a * cmp);
        if (w < (own ? 0.012 : 0.05)) continue;
        const [grey, strong] = own
          ? [0.14 + 0.3 * w, 0.4 + 0.6 * w]
          : [faint * (0.05 + 0.08 * w), faint * (0.13 + 0.4 * w)];
        const special = d.special(j);
        const width = Math.max(0.8, most * (own ? Math.sqrt(w) : w));
        const strength = a * (special ? grey : strong) * (1 - 0.8 * cmp);
        const color = special ? C.stream : C.weights;
        ribbon(ctx, x0, yOf(j), x1, yOf(i), width, color, strength);
      }
    }
}

// Amber where the first text gives more weight, ink where the second does.
function difference(v, [l, head, i, j], [x0, x1, yOf], most, a) {
  const more = v.d.weight(l, head, i, j) - v.b.weight(l, head, i, j);
  const size = Math.abs(more);
  if (size <= 0.012) return;
  const color = more > 0 ? v.C.amber : v.C.ink;
  const width = most * Math.sqrt(size) * 0.9;
  ribbon(v.ctx, x0, yOf(j), x1, yOf(i), width, color, a * (0.2 + size * 2.2));
}

const rgb = hex => [1, 3, 5].map(k => Number.parseInt(hex.slice(k, k + 2), 16));
const made = new Map(); // pictures of vectors, by what they show

// A vector as a picture, a pixel a number: coloured above 0, grey below, the darker the
// larger.
function strip(v, key, values, hue) {
  const name = `${v.C.paper}/${v.d.key}/${key}/${hue}`;
  if (made.has(name)) return made.get(name);
  if (made.size > 400) made.clear();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, {width: 1, height: values.length});
  const c = canvas.getContext("2d");
  const image = c.createImageData(1, values.length);
  const usual = values.reduce((a, x) => a + Math.abs(x), 0) / values.length || 1;
  const [plus, minus] = [rgb(v.C[hue]), rgb(v.C.stream)];
  values.forEach((x, i) => {
    const dark = Math.min(1, Math.abs(x) / (2.6 * usual));
    image.data.set([...(x > 0 ? plus : minus), 255 * dark * (x > 0 ? 1 : 0.6)], 4 * i);
  });
  c.putImageData(image, 0, 0);
  made.set(name, canvas);
  return canvas;
}

let drawn = {of: "", by: new Map()}; // pictures of one state, by what they show

// What `draw` makes of the box [x, y, w, h] is made once, and stretched to another box.
export function stretched(v, key, [x, y, w, h], to, draw) {
  const {ctx, s, ratio} = v;
  const head = s.inHead ? null : s.head;
  const of = [v.C.paper, v.d.key, v.b?.key, s.row, head, ratio].join();
  if (drawn.of !== of || drawn.by.size > 80) drawn = {of, by: new Map()};
  const name = [key, w, h].join();
  if (!drawn.by.has(name)) {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, {width: Math.ceil(w * ratio), height: Math.ceil(h * ratio)});
    const on = canvas.getContext("2d");
    on.setTransform(ratio, 0, 0, ratio, -x * ratio, -y * ratio);
    draw(on);
    drawn.by.set(name, canvas);
  }
  ctx.imageSmoothingEnabled = true;
  ctx.drawImage(drawn.by.get(name), 0, 0, w * ratio, h * ratio, ...to);
}

const edge = ({ctx, C}, x, y, w, h) => {
  ctx.strokeStyle = C.line;
  ctx.lineWidth = 1;
  ctx.strokeRect(x - 0.5, y - 0.5, w + 1, h + 1);
};

export function upright(v, key, values, hue, x, y, w, h) {
  const {ctx, C} = v;
  ctx.imageSmoothingEnabled = false;
  ctx.fillStyle = C.paper;
  ctx.fillRect(x, y, w, h);
  ctx.drawImage(strip(v, key, values, hue), x, y, w, h);
  edge(v, x, y, w, h);
}

export function lying(v, key, values, hue, x, y, w, h) {
  const {ctx, C} = v;
  ctx.imageSmoothingEnabled = false;
  ctx.fillStyle = C.paper;
  ctx.fillRect(x, y, w, h);
  ctx.save();
  ctx.translate(x, y + h);
  ctx.rotate(-Math.PI / 2);
  ctx.drawImage(strip(v, key, values, hue), 0, 0, h, w);
  ctx.restore();
  edge(v, x, y, w, h);
}

// The few numbers of a head, as cells.
export function cells(v, values, hue, x, y, w, h, {a = 1, ground = true} = {}) {
  const {ctx, C} = v;
  const step = w / values.length;
  const squares = values.reduce((p, q) => p + q * q, 0) / values.length;
  const usual = Math.sqrt(squares) || 1;
  alpha(ctx, a, () => {
    if (ground) {
      ctx.fillStyle = C.paper;
      ctx.fillRect(x, y, w, h);
    }
    values.forEach((q, i) =>
      alpha(ctx, Math.min(1, Math.abs(q) / (2.1 * usual)) * (q > 0 ? 1 : 0.65), () => {
        ctx.fillStyle = q > 0 ? C[hue] : C.stream;
        ctx.fillRect(x + i * step, y, step - 0.6, h);
      })
    );
    ctx.strokeStyle = C[hue];
    ctx.lineWidth = 0.8;
    alpha(ctx, 0.6, () => ctx.strokeRect(x - 1, y - 1, w + 1.4, h + 2));
  });
}
