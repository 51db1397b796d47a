// What an open part shows: the embeddings, a layer's heads and its sums, one head.
import {drawHead} from "./head.js";
import {
  alpha,
  bar,
  clamp,
  lerp,
  lying,
  percent,
  phase,
  round,
  shown,
  stretched,
  weave,
  words,
} from "./paint.js";
import {mostOf} from "./reading.js";
import {drawSums, sumsOf} from "./sums.js";

const HEADS_TOP = 54;

export const frameOf = (L, k) => ({
  x: L.x[k] + 3,
  y: L.panelTop,
  w: L.w[k] - 6,
  h: L.panelBottom - L.panelTop,
});

// What stands still in an open part: its ground and its heads.
export function drawInside(v) {
  const {ctx, C, L, d} = v;
  for (let k = 0; k <= d.L; k++)
    panel(v, k, R => {
      alpha(ctx, Math.min(1, L.o[k] * 1.6), () => {
        round(ctx, R.x, R.y, R.w, R.h, 14);
        ctx.fillStyle = C.raised;
        ctx.fill();
        ctx.strokeStyle = C.line;
        ctx.lineWidth = 1;
        ctx.stroke();
      });
      if (k) shows(v, k, () => heads(v, k - 1, R));
    });
}

// And what runs.
export function drawMoving(v) {
  const {ctx, d, L, s} = v;
  if (!d.ready(s.row)) return;
  panel(v, 0, R => shows(v, 0, () => embeddings(v, R)));
  for (let l = 0; l < d.L; l++)
    panel(v, l + 1, R =>
      shows(v, l + 1, () => {
        alpha(ctx, 1 - L.h, () => drawSums(v, l, R, tile(L, l + 1, 0, d.H).sums));
        alpha(ctx, clamp(L.h * 2 - 1), () => drawHead(v, l, R));
      })
    );
}

const shows = ({ctx, L}, k, f) => alpha(ctx, clamp((L.o[k] - 0.45) / 0.55), f);

function panel({ctx, L}, k, f) {
  const open = L.o[k];
  if (open < 0.02) return;
  const R = frameOf(L, k);
  if (open === 1) return f(R);
  ctx.save();
  ctx.beginPath();
  ctx.rect(R.x, R.y, R.w, R.h);
  ctx.clip();
  f(R);
  ctx.restore();
}

function embeddings(v, R) {
  const {ctx, d, s} = v;
  const i = s.row;
  const name = shown(d.tokens[i]);
  const {words: word, segments_added: segment, places_added: place} = d.rows(i);
  const wide = Math.min(384, R.w - 210);
  const [x, h] = [R.x + (R.w - wide) / 2 + 60, Math.min(34, R.h / 12)];
  const [top, step] = [R.y + R.h * 0.16, (R.h * 0.76) / 5];
  const rows = [
    [`the word “${name}”`, `row ${d.ids[i].toLocaleString("en")} of its table`, word],
    [`place ${d.kept?.[i] ?? i}`, "a row for each place", place],
    [`segment ${d.segments[i]}`, d.segments[i] ? "second text" : "first text", segment],
  ];
  const middle = {align: "center", color: "soft"};
  const title = `How “${name}” becomes ${d.W} numbers`;
  const center = Math.min(R.w / 2, R.w - 315); // beside the buttons
  words(v, title, R.x + center, R.y + 34, {
    ...middle,
    size: 21,
    font: "serif",
    color: "ink",
  });
  const between = (sign, y, look = {}) =>
    words(v, sign, x + wide / 2, y + (step + h) / 2, {
      ...middle,
      size: 24,
      font: "serif",
      ...look,
    });
  rows.forEach(([told, more, values], r) =>
    alpha(ctx, phase(s.p, r * 0.14, r * 0.14 + 0.22), () => {
      const y = top + r * step;
      lying(v, `in${r}/${i}`, values, "ink", x, y, wide, h);
      words(v, told, x - 16, y + h * 0.3, {size: 14.5, align: "right"});
      words(v, more, x - 16, y + h * 0.82, {size: 12.5, align: "right", color: "soft"});
      between(r < 2 ? "+" : "=", y);
    })
  );
  // Copies of the three slide into their sum.
  const [sum, fall] = [top + 3 * step, phase(s.p, 0.5, 0.78)];
  if (fall > 0 && fall < 1)
    rows.forEach(([, , values], r) =>
      alpha(ctx, 0.4, () => {
        lying(
          v,
          `in${r}/${i}`,
          values,
          "ink",
          x,
          lerp(top + r * step, sum, fall),
          wide,
          h
        );
      })
    );
  alpha(ctx, phase(s.p, 0.7, 0.84), () => {
    lying(v, `sum/${i}`, d.sum(i), "ink", x, sum, wide, h);
    words(v, "their sum", x - 16, sum + h / 2, {size: 14.5, align: "right"});
  });
  alpha(ctx, phase(s.p, 0.84, 1), () => {
    between("norm", sum, {size: 13, font: "sans"});
    lying(v, `state0/${i}`, d.row("states", 0, i), "amber", x, sum + step, wide, h);
    const y = sum + step + h / 2;
    words(v, "what layer 0 reads", x - 16, y, {size: 14.5, align: "right"});
  });
}

// Where the tile of a head is, in the grid and beside an open head.
export function tile(L, k, head, heads = 12) {
  const R = frameOf(L, k);
  const rows = Math.ceil(heads / 4);
  const few = Math.ceil(heads / 2);
  const wide = (R.w - sumsOf(R) - 36 - 24) / 4;
  const high = (R.h - HEADS_TOP - 40 - 8 * (rows - 1)) / rows;
  const small = (R.h - HEADS_TOP - 16 - 5 * (few - 1)) / few;
  const [c, r] = [head % 4, Math.floor(head / 4)];
  const [c2, r2] = [head % 2, Math.floor(head / 2)];
  return {
    x: R.x + lerp(18 + c * (wide + 8), 14 + c2 * 51, L.h),
    y: R.y + HEADS_TOP + lerp(r * (high + 8), r2 * (small + 5), L.h),
    w: lerp(wide, 46, L.h),
    h: lerp(high, small, L.h),
    sums: R.x + lerp(R.w - sumsOf(R), R.w - 20, L.h), // where the sums begin
  };
}

function heads(v, l, R) {
  const {ctx, d, L} = v;
  alpha(ctx, 1 - L.h, () => {
    words(v, `Layer ${l}`, R.x + 18, R.y + 28, {size: 21, font: "serif"});
    words(v, "attention", R.x + 94, R.y + 30, {size: 13.5, color: "weights"});
    if (R.w > 640)
      words(v, `in ${d.H} heads`, R.x + 154, R.y + 30, {size: 13.5, color: "soft"});
  });
  for (let h = 0; h < d.H; h++) headTile(v, l, h);
  alpha(ctx, 1 - L.h, () => worth(v, l, R));
}

const FULL = 1.2; // log-odds that fill a head's bar

function worth(v, l, R) {
  const {d, s, C} = v;
  if (d.adds(l, 0, s.row) === null) return;
  const guess = shown(d.guesses(d.L, s.row)?.[0][0] ?? "the guess");
  const less = `what “${guess}” loses in log-odds without the head`;
  const told = R.w > 720 ? `${less}; full: ${FULL}` : less;
  bar(v, R.x + 18, R.y + R.h - 25, 22, 4, 1, C.soft, {track: false});
  const most = R.w - sumsOf(R) - 62;
  words(v, told, R.x + 48, R.y + R.h - 22, {size: 12.5, color: "soft", most});
}

// A head as a small picture: whom each row looks at.
function headTile(v, l, h) {
  const {ctx, d, L, s, C} = v;
  const small = L.h;
  const {T, x0, x1, y} = rowsOf(L, l, h, d);
  ribbons(v, l, h);
  for (let i = 0; i < d.n; i++)
    for (const x of [x0, x1]) {
      const own = i === s.row;
      ctx.beginPath();
      ctx.arc(x, y(i), own ? lerp(2.6, 1.8, small) : lerp(1.5, 1, small), 0, 7);
      ctx.fillStyle = own ? C.amber : C.stream;
      ctx.fill();
    }
  const own = s.head === h;
  const look = {size: lerp(13, 11, small), color: own ? "weights" : "soft"};
  const at = [T.x + lerp(9, 6, small), T.y + lerp(13, 8.5, small)];
  words(v, String(h), ...at, {...look, weight: own ? "bold" : ""});
  alpha(ctx, 1 - small * 1.5, () => tileFoot(v, l, h, T));
}

// Where the rows of a tile are.
function rowsOf(L, l, h, d) {
  const T = tile(L, l + 1, h, d.H);
  const [side, pad, foot] = [lerp(9, 5, L.h), lerp(20, 15, L.h), lerp(36, 5, L.h)];
  const y = i => T.y + pad + ((T.h - pad - foot) * (i + 0.5)) / d.n;
  return {T, x0: T.x + side, x1: T.x + T.w - side, y};
}

// While the layout changes they are a picture of the layer as it is when it is open.
function ribbons(v, l, h) {
  const {L, d, way} = v;
  const draw = on => {
    const {x0, x1, y} = rowsOf(on.L, l, h, d);
    weave(on, l, h, x0, x1, y, {most: lerp(8, 3.5, on.L.h), faint: 0.5});
  };
  const Z = way && [way.to, way.from].find(z => z.o[l + 1] === 1 && z.h === 0);
  if (!Z) return draw(v);
  const boxOf = z => {
    const {T, x0, x1, y} = rowsOf(z, l, h, d);
    const pad = T.h / 20;
    return [x0, y(0) - pad, Math.max(0, x1 - x0), y(d.n - 1) - y(0) + 2 * pad];
  };
  stretched(v, `tile/${l}/${h}`, boxOf(Z), boxOf(L), ctx => draw({...v, ctx, L: Z}));
}

function tileFoot(v, l, h, T) {
  const {d, s, C} = v;
  const best = mostOf(d, l, h, s.row);
  const most = T.w < 72 ? "" : ` ${percent(d.weight(l, h, s.row, best))}`;
  const told = `${shown(d.tokens[best])}${most}`;
  const plain = d.special(best);
  const look = {size: 13, align: "center", most: T.w - 8};
  words(v, told, T.x + T.w / 2, T.y + T.h - 25, {
    ...look,
    color: plain ? "faint" : "weights",
    weight: plain ? "" : "bold",
  });
  const adds = d.adds(l, h, s.row);
  if (adds === null) return;
  const place = [T.x + 9, T.y + T.h - 11, T.w - 18, 4];
  const share = adds > 0.01 ? clamp(adds / FULL, 0.03) : 0;
  bar(v, ...place, 1, C.hair, {track: false});
  if (share) bar(v, ...place, share, C.soft, {track: false});
}
