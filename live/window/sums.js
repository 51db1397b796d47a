// What a layer adds to a row: the heads' answer, then what the wide part makes of it.
import {alpha, lerp, line, phase, upright, words} from "./paint.js";

// The width of the sums beside the heads.
export const sumsOf = R => (R.w < 720 ? 344 : 378);

// The heads' answer joins the line; then the wide part does. A strip is all numbers of
// a row, one below the other.
export function drawSums(v, l, R, x) {
  const {ctx, d, s, C} = v;
  const [i, p] = [s.row, s.p];
  const [h, y, w] = [Math.min(384, R.h - 132), R.y + 76, 17];
  const at = {in: 14, found: 68, mid: 120, wide: 174, back: 281, out: 334};
  const close = sumsOf(R) / 378;
  for (const name of Object.keys(at)) at[name] = x + at[name] * close;
  const part = (from, to, f) => alpha(ctx, phase(p, from, to), f);
  const sign = (text, a, b) =>
    words(v, text, (a + w + b) / 2, y + h / 2, {
      size: 18,
      align: "center",
      color: "soft",
    });
  const strip = (name, values, hue, left) =>
    upright(v, `${name}/${l}/${i}`, values, hue, left, y, w, h);
  line(ctx, x - 8, R.y + 18, x - 8, R.y + R.h - 18, C.line);
  strip("in", d.row("states", l, i), "amber", at.in);
  part(0.05, 0.25, () => {
    const slide = lerp(-26, 0, phase(p, 0.05, 0.25));
    strip("found", d.row("projected", l, i), "weights", at.found + slide);
    sign("+", at.in, at.found);
  });
  around(v, at.in + w / 2, at.mid + w / 2, y, phase(p, 0.2, 0.35));
  part(0.3, 0.45, () => {
    strip("mid", d.row("between", l, i), "amber", at.mid);
    sign("=", at.found, at.mid);
  });
  part(0.42, 0.7, () => wide(v, l, [at.mid + w + 3, at.wide, at.back - 3], y, h, w));
  part(0.68, 0.82, () => strip("back", d.row("narrow", l, i), "brand", at.back));
  around(v, at.mid + w / 2, at.out + w / 2, y, phase(p, 0.76, 0.9));
  part(0.85, 1, () => {
    strip("out", d.row("states", l + 1, i), "amber", at.out);
    sign("=", at.back, at.out);
  });
  const size = close < 1 ? 12.5 : 13.5; // the button that closes stands beside them
  const told = (text, left, color) => words(v, text, left, R.y + 30, {size, color});
  told("add, norm", at.in - 1, "amberInk");
  told("feed-forward", at.wide - 2, "brand");
  told("add, norm", at.back - (close < 1 ? 16 : 22), "amberInk");
  const named = [
    ["came in", d.W, at.in],
    ["heads", "mixed", at.found],
    ["sum", "norm", at.mid],
    [`${d.U.toLocaleString("en")} wide`, `${d.above(l, i)} above 0`, at.wide + 30],
    ["back", d.W, at.back],
    ["goes on", d.W, at.out - 4],
  ];
  for (const [one, two, left] of named) {
    const look = {align: "center"};
    words(v, one, left + w / 2, y + h + 17, {...look, size: 12.5});
    words(v, String(two), left + w / 2, y + h + 33, {...look, size: 12, color: "soft"});
  }
}

// What goes around a part and is added behind it: the residual.
function around({ctx, C}, from, to, y, show) {
  alpha(ctx, show, () => {
    ctx.beginPath();
    ctx.moveTo(from, y - 5);
    ctx.bezierCurveTo(from, y - 26, to, y - 26, to, y - 5);
    ctx.moveTo(to - 4, y - 11);
    ctx.lineTo(to, y - 4);
    ctx.lineTo(to + 4, y - 11);
    ctx.strokeStyle = C.amber;
    ctx.lineWidth = 2.2;
    ctx.stroke();
  });
}

// From one strip to four, and back: the fan is grey where all meets all.
function wide(v, l, [start, left, end], y, h, w) {
  const {ctx, d, s, C} = v;
  const grow = phase(s.p, 0.42, 0.7);
  const many = Math.max(1, Math.round(d.U / d.W));
  const step = 80 / many;
  const fan = (x0, x1) => {
    ctx.fillStyle = C.hair;
    alpha(ctx, 0.8, () => ctx.fillRect(x0, y, x1 - x0, h));
  };
  fan(start, left - 4);
  const values = d.row("wide", l, s.row);
  const size = Math.ceil(d.U / many);
  for (let c = 0; c < many; c++) {
    const x = left + c * step * grow;
    const part = values.subarray(c * size, (c + 1) * size);
    upright(
      v,
      `wide/${l}/${s.row}/${c}`,
      part,
      "brand",
      x,
      y,
      Math.min(w, step - 3),
      h
    );
  }
  fan(left + 81, end);
}
