// Where everything is: for the window as it is, and on the way from one state to the next.
import {lerp} from "./paint.js";

const FOOT = 92; // of the page, below the guesses
const GUESSES = 136; // the guesses under the layers

// Drawn for 1440 by 880; other windows see it larger or smaller, and wider or taller.
export const LEAST = {width: 1000, height: 560}; // smaller ones see a column
export function zoomOf(width, height) {
  return Math.min(1.6, Math.max(0.9, Math.min(width / 1440, height / 880)));
}

export const firstLayout = () => ({h: 0, cmp: 0, reveal: 1, rows: 8});

// open: -1 the whole, 0 the embeddings, k the layer k - 1.
export function wanted({s, d, W, H}) {
  const tight = W < 1250;
  const open = s.open;
  const left = tight ? (open < 0 ? 146 : 128) : 178;
  const rightW = (open < 0 ? 262 : 190) - (tight ? (open < 0 ? 40 : 56) : 0);
  const right = W - 28 - rightW;
  const free = right - left - 14;
  const small = Math.min(tight ? 26 : 42, (tight ? 192 : 260) / d.L);
  const first = tight ? 108 : 126;
  const w = Array.from({length: d.L + 1}, (_, k) => {
    if (open < 0) return k === 0 ? first : (free - first) / d.L;
    return k === open ? free - d.L * small : small;
  });
  const x = [];
  w.reduce((at, width, k) => ((x[k] = at), at + width), left);
  const panelTop = 156;
  const panelBottom = H - FOOT - GUESSES;
  const inHead = s.inHead && open > 0;
  return {
    ...{x, w, o: w.map((_, k) => Number(k === open))},
    ...{
      h: Number(inHead),
      cmp: Number(s.cmp),
      left,
      right,
      rightW,
      panelTop,
      panelBottom,
    },
    top: panelTop + (inHead ? 128 : 88),
    bottom: panelBottom - (inHead ? 74 : 50),
  };
}

// How many rows a window can show with names of a size that can be read.
export function rowsFor({narrow, W, H}) {
  const room = narrow ? (W - 154) / 20 : (H - 586) / 13.5;
  return Math.min(22, Math.max(8, 1 + Math.floor(room)));
}

// Sets L between two layouts, t from 0 to 1.
export function blend(L, from, to, t, n) {
  for (const [key, end] of Object.entries(to))
    L[key] = Array.isArray(end)
      ? end.map((value, i) => lerp(from[key]?.[i] ?? value, value, t))
      : lerp(from[key] ?? end, end, t);
  L.gap = n > 1 ? (L.bottom - L.top) / (n - 1) : 0;
  L.y = i => L.top + L.gap * i;
  return L;
}

// Where the window is small the body is a column, else it is scaled to fill it.
export function fit(m) {
  const [width, height] = [innerWidth, innerHeight];
  m.narrow = width < LEAST.width || height < LEAST.height;
  document.body.classList.toggle("column", m.narrow);
  m.zoom = m.narrow ? 1 : zoomOf(width, height);
  [m.W, m.H] = [width / m.zoom, height / m.zoom];
  m.L.rows = m.H < 800 ? 6 : 8;
  document.body.classList.toggle("tight", m.W < 1400);
  const look = m.narrow
    ? {width: "", height: "", transform: ""}
    : {
        width: `${m.W}px`,
        height: `${m.H}px`,
        transform: m.zoom === 1 ? "" : `scale(${m.zoom})`,
      };
  Object.assign(document.body.style, look);
}
