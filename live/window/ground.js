// What stands still while the inside of a part moves is drawn once.
import {el} from "../components.js";
import {drawInside} from "./inside.js";
import {drawWhole} from "./whole.js";

export function drawGround(v) {
  drawWhole(v);
  drawInside(v);
}

export function groundOf(m) {
  const canvas = el("canvas");
  let drawnKey = "";
  const keyOf = (...size) => {
    const {row, open, head, inHead, cmp} = m.s;
    const known = open > 0 && m.d.adds(open - 1, 0, row) !== null;
    const state = [row, open, head, inHead, cmp, m.d.ready(row), known];
    return [m.d.key, ...state, m.C.paper, ...size].join();
  };
  return {
    key: () => drawnKey,
    drawn(w, h, ratio) {
      const key = keyOf(w, h);
      if (key === drawnKey) return canvas;
      Object.assign(canvas, {width: w, height: h});
      const ctx = canvas.getContext("2d");
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawGround({...m, ctx});
      drawnKey = key;
      return canvas;
    },
  };
}
