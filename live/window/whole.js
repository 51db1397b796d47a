// The machine as a whole: lines from left to right, layers across them.
import {
  alpha,
  bar,
  clamp,
  lerp,
  line,
  percent,
  ring,
  round,
  shown,
  stretched,
  weave,
  words,
} from "./paint.js";

// Where a layer's parts are, as shares of its width.
const [ADD, FROM, TO, END] = [0.56, 0.63, 0.93, 0.965];
const endOf = (L, k) => L.x[k] + L.w[k];
const startOf = L => L.x[0] + L.w[0] * 0.62; // where the embeddings are one line

export function drawWhole(v) {
  bodies(v);
  taps(v);
  streams(v);
  embeddings(v);
  for (let l = 0; l < v.d.L; l++) layer(v, l);
  if (!v.turned) fan(v);
}

// A layer is a body of its own; its parts are named where there is room.
function bodies(v) {
  const {ctx, d, L, C} = v;
  const look = {size: 12.5, align: "center"};
  for (let k = 1; k <= d.L; k++) {
    const [x, w] = [L.x[k], L.w[k]];
    round(ctx, x + 3, L.panelTop, w - 6, L.panelBottom - L.panelTop, 12);
    ctx.fillStyle = C.module;
    ctx.fill();
    ctx.strokeStyle = C.hair;
    ctx.lineWidth = 1;
    ctx.stroke();
    if (v.turned) continue;
    const [top, foot] = [L.panelTop + 43, L.panelBottom - 15];
    alpha(ctx, clamp((w - 92) / 8) * (1 - L.o[k]), () => {
      const at = [x + w * 0.3, x + w * 0.7];
      if (w < 118) [at[0], at[1]] = [x + 12 + 29, x + w - 10 - 36];
      words(v, "attention", at[0], top, {...look, color: "weights"});
      words(v, "feed-forward", at[1], foot, {...look, color: "soft"});
    });
  }
  if (v.turned) return;
  alpha(ctx, clamp((L.w[0] - 80) / 30) * (1 - L.o[0]), () => {
    const named = L.w[0] < 115 ? "word, place, segment" : "word + place + segment";
    const x = L.x[0] + L.w[0] / 2 - (L.w[0] < 115 ? 8 : 14);
    words(v, named, x, L.panelTop + 43, {...look, color: "soft", most: L.w[0] + 12});
  });
}

// Where the line is read for the guess under it.
function taps(v) {
  const {ctx, d, L, s, C} = v;
  ctx.setLineDash([1.5, 4]);
  ctx.lineCap = "round";
  for (let k = 0; k <= d.L; k++) {
    const x = endOf(L, k);
    alpha(ctx, 0.8, () =>
      line(ctx, x, L.y(s.row), x, L.panelBottom + 12, C.amber, 1.6)
    );
  }
  ctx.setLineDash([]);
  ctx.lineCap = "butt";
}

function streams(v) {
  const {ctx, d, L, s, C} = v;
  for (let i = 0; i < d.n; i++) {
    const own = i === s.row;
    const drawn = (color, width, a) =>
      alpha(ctx, a, () =>
        line(ctx, startOf(L), L.y(i), L.right - 10, L.y(i), color, width)
      );
    drawn(C.stream, 1.3, own ? 0.3 : d.special(i) ? 0.45 : 0.75);
    if (own) {
      drawn(C.amber, 11, 0.16 * (1 - L.cmp));
      drawn(C.amber, 4, 1 - L.cmp);
      drawn(C.ink, 2, L.cmp * 0.5);
    }
    if (L.cmp > 0 && v.pair) glow(v, i);
  }
}

// The line of a row is as broad as its vectors in the two texts are apart.
function glow({ctx, d, L, C, pair}, i) {
  const size = share => Math.sqrt(clamp(share / 0.9)) ** 1.2;
  for (let k = 0; k <= d.L; k++) {
    const [x0, x1] = [k === 0 ? startOf(L) : endOf(L, k - 1), endOf(L, k)];
    const [a, b] = [pair.apart[Math.max(0, k - 1)][i], pair.apart[k][i]].map(size);
    const colours = ctx.createLinearGradient(x0, 0, x1 + 0.1, 0);
    for (const t of [0, 0.5, 1]) {
      const seen = Math.round(255 * clamp(lerp(a, b, t)));
      colours.addColorStop(t, C.query + seen.toString(16).padStart(2, "0"));
    }
    ctx.fillStyle = colours;
    for (const [strength, least, most] of [
      [0.28, 2, 20],
      [1, 1, 7],
    ])
      alpha(ctx, L.cmp * strength, () =>
        taper(ctx, x0, x1, L.y(i), least + most * a, least + most * b)
      );
  }
}

function taper(ctx, x0, x1, y, a, b) {
  ctx.beginPath();
  ctx.moveTo(x0, y - a / 2);
  ctx.lineTo(x1, y - b / 2);
  ctx.lineTo(x1, y + b / 2);
  ctx.lineTo(x0, y + a / 2);
  ctx.fill();
}

const DASHES = [[], [5, 3], [1.5, 3]]; // word, place, segment

function embeddings(v) {
  const {ctx, d, L, s, C} = v;
  const [x, end] = [L.left - 4, startOf(L)];
  const spread = Math.min(12, L.gap * 0.26);
  alpha(ctx, 1 - L.o[0], () => {
    for (let i = 0; i < d.n; i++) {
      const y = L.y(i);
      const own = i === s.row && L.cmp < 0.5;
      for (const [k, dashes] of DASHES.entries()) {
        const from = y + (k - 1) * spread;
        ctx.beginPath();
        ctx.moveTo(x, from);
        ctx.lineTo(lerp(x, end, 0.3), from);
        ctx.bezierCurveTo(lerp(x, end, 0.65), from, lerp(x, end, 0.65), y, end, y);
        ctx.strokeStyle = own ? C.amber : C.stream;
        ctx.lineWidth = own ? 2.2 : 1.2;
        ctx.setLineDash(dashes);
        ctx.stroke();
      }
      ctx.setLineDash([]);
      ring(v, end, y, Math.min(6.5, L.gap * 0.3), own ? "amberInk" : "soft");
    }
  });
}

function layer(v, l) {
  const {ctx, d, L, s} = v;
  const [x, w] = [L.x[l + 1], L.w[l + 1]];
  const open = L.o[l + 1];
  alpha(ctx, 1 - open, () => {
    if (v.way && open === 0) onTheWay(v, l);
    else lines(v, l);
    const r = Math.min(6, w / 20, L.gap * 0.3);
    for (let i = 0; i < d.n; i++) {
      const own = i === s.row && L.cmp < 0.5;
      if (!own && w <= 90) continue;
      for (const at of [x + w * ADD, x + w * END])
        ring(v, at, L.y(i), own ? r : Math.min(3, r), own ? "amberInk" : "stream", own);
    }
  });
}

// Ribbons, and the feed-forward part of each row.
function lines(v, l) {
  const {d, L, s} = v;
  const [x, w] = [L.x[l + 1], L.w[l + 1]];
  const most = Math.min(15, 6 + w / 16) * Math.min(1, L.gap / 26);
  weave(v, l, s.inHead ? null : s.head, x + 3, x + w * ADD - 5, L.y, {most});
  for (let i = 0; i < d.n; i++)
    feedForward(v, l, i, x + w * FROM, x + w * TO, i === s.row && L.cmp < 0.5);
}

// On the way from one layout to another: the lines as they were and as they will be,
// each drawn once, stretched to where they are and faded into each other.
function onTheWay(v, l) {
  const {ctx, L, way} = v;
  const k = l + 1;
  const boxOf = (Z, pad = (24 * Z.gap) / way.to.gap) => [
    ...[Z.x[k], Z.top - pad, Z.w[k]],
    Z.bottom - Z.top + 2 * pad,
  ];
  for (const [Z, share] of [
    [way.from, 1 - way.t],
    [way.to, way.t],
  ])
    alpha(ctx, share ** 0.75, () =>
      stretched(v, `lines/${l}/${Z.cmp}`, boxOf(Z), boxOf(L), on =>
        lines({...v, ctx: on, L: Z}, l)
      )
    );
}

// The feed-forward part: the line fans out to its greater width, and back; as far as
// what it adds is long beside the line.
function feedForward(v, l, i, x0, x1, own) {
  const {ctx, d, L, C} = v;
  const share = at => d.length("narrow", at, i) / d.length("between", at, i);
  const most = Math.max(...Array.from({length: d.L}, (_, at) => share(at)));
  const size = Math.min(L.gap * 0.38, 17) * (0.45 + (0.55 * share(l)) / most);
  const [y, m] = [L.y(i), (x0 + x1) / 2];
  ctx.strokeStyle = own ? C.amber : C.stream;
  ctx.lineWidth = own ? 1.3 : 0.8;
  alpha(ctx, (own ? 0.95 : 0.6) * (1 - 0.55 * L.cmp), () => {
    ctx.beginPath();
    for (const t of [-1, -0.66, -0.33, 0.33, 0.66, 1]) {
      const top = y + t * size;
      ctx.moveTo(x0, y);
      ctx.bezierCurveTo(lerp(x0, m, 0.5), y, lerp(x0, m, 0.4), top, m, top);
      ctx.bezierCurveTo(lerp(m, x1, 0.6), top, lerp(m, x1, 0.5), y, x1, y);
    }
    ctx.stroke();
  });
}

// The guesses of the followed row, [piece, share, share in the other text].
export function guessesOf({d, pair, s, L}) {
  const both = s.cmp && pair?.both[d.kept ? d.kept[s.row] : s.row];
  const rows = both || d.guesses(d.L, s.row).map(([piece, p]) => [piece, p, 0]);
  return {rows: rows.slice(0, L.rows), both: Boolean(both)};
}

// The followed row's line opens into its guesses; a ribbon is as wide as a share.
function fan(v) {
  const {d, L, s} = v;
  if (!d.guesses(d.L, s.row)) return;
  const {rows, both} = guessesOf(v);
  const most = Math.max(...rows.flatMap(([, p, q]) => [p, q]));
  const top = L.top - 20;
  const step = (L.bottom + 40 - top) / L.rows;
  const taken = [1, 2].map(
    side => -0.5 * rows.reduce((sum, row) => sum + row[side], 0)
  );
  rows.forEach((row, i) => {
    const y = top + (i + 0.5) * step;
    stem(v, row[1], taken, 0, y + 4.5, most);
    if (both) stem(v, row[2], taken, 1, y + 11.5, most);
    guess(v, row, y, both, i === 0);
  });
}

// As broad as its share where it leaves the line, and no broader than a bar at its end.
function stem({ctx, L, s, C}, share, taken, side, y, most) {
  const from = L.y(s.row) + (taken[side] + share / 2) * 26;
  taken[side] += share;
  const [x, end] = [L.right - 12, L.right + 37];
  const m = L.right + 13;
  const [a, b] = [26, side ? 5 : 9].map(wide => Math.max(0.8, share * wide) / 2);
  ctx.beginPath();
  ctx.moveTo(x, from - a);
  ctx.bezierCurveTo(m, from - a, m, y - b, end, y - b);
  ctx.lineTo(end, y + b);
  ctx.bezierCurveTo(m, y + b, m, from + a, x, from + a);
  ctx.fillStyle = side ? C.ink : C.amber;
  const strength = side ? 0.25 + (0.55 * share) / most : 0.3 + (0.6 * share) / most;
  alpha(ctx, strength, () => ctx.fill());
}

// A bar is full at 100 %.
function guess(v, [piece, p, q], y, both, first) {
  const {L, C} = v;
  const [x, wide] = [L.right + 34, L.rightW - 88];
  const big = first && !both;
  const tight = wide < 60; // the share stands under the end of the word
  const size = (big ? 25 : 18) * (tight ? 0.9 : 1);
  const look = {size, color: big ? "amberInk" : "ink"};
  words(v, shown(piece), x + 4, y - (tight ? 9 : 8), {
    ...look,
    font: "serif",
    base: "alphabetic",
  });
  bar(v, x, y, wide, both ? 7 : 9, p, C.amber);
  if (both) bar(v, x, y + 8.5, wide, 5, q, C.ink, {track: false});
  const right = {align: "right", base: "alphabetic"};
  const end = L.right + L.rightW;
  words(v, percent(p), end, both ? y + 6 : y + (tight ? 10 : 9), {
    ...right,
    size: tight ? 12.5 : 13.5,
    color: "soft",
  });
  if (both) words(v, percent(q), end, y + 20, {...right, size: 12, color: "faint"});
}
