// As much of a canvas's drawing as the machine needs, written as SVG.
const shortened = (value) => Number(value.toFixed(1));
const safe = (text) =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

export class SvgContext {
  globalAlpha = 1;
  fillStyle = strokeStyle("ink");
  strokeStyle = strokeStyle("ink");
  lineWidth = 1;
  lineCap = "butt";
  font = "13px sans-serif";
  textAlign = "left";
  textBaseline = "middle";
  #parts = [];
  #path = "";
  #dashes = [];

  beginPath() {
    this.#path = "";
  }
  #add(letter, ...values) {
    this.#path += letter + values.map(shortened).join(" ");
  }
  moveTo(...at) {
    this.#add("M", ...at);
  }
  lineTo(...at) {
    this.#add("L", ...at);
  }
  bezierCurveTo(...at) {
    this.#add("C", ...at);
  }
  quadraticCurveTo(...at) {
    this.#add("Q", ...at);
  }
  // Whole circles only.
  arc(x, y, r) {
    this.#add("M", x - r, y);
    for (const to of [2 * r, -2 * r])
      this.#path += `a${shortened(r)} ${shortened(r)} 0 1 0 ${shortened(to)} 0`;
  }
  rect(x, y, w, h) {
    this.roundRect(x, y, w, h, 0);
  }
  roundRect(x, y, w, h, radius) {
    const r = Math.min(radius, w / 2, h / 2);
    const corner = (a, b) =>
      `a${shortened(r)} ${shortened(r)} 0 0 1 ${shortened(a)} ${shortened(b)}`;
    this.#add("M", x + r, y);
    this.#path += `h${shortened(w - 2 * r)}${corner(r, r)}v${shortened(h - 2 * r)}`;
    this.#path += `${corner(-r, r)}h${shortened(2 * r - w)}${corner(-r, -r)}`;
    this.#path += `v${shortened(2 * r - h)}${corner(r, -r)}z`;
  }
  setLineDash(dashes) {
    this.#dashes = dashes;
  }
  #drawn(look) {
    if (this.globalAlpha < 1)
      look.opacity = Number(this.globalAlpha.toFixed(2));
    const told = Object.entries(look).map(
      ([name, value]) => `${name}="${value}"`,
    );
    this.#parts.push(`<path d="${this.#path}" ${told.join(" ")}/>`);
  }
  fill() {
    this.#drawn({ fill: this.fillStyle });
  }
  stroke() {
    const look = {
      fill: "none",
      stroke: this.strokeStyle,
      "stroke-width": shortened(this.lineWidth),
    };
    if (this.#dashes.length) look["stroke-dasharray"] = this.#dashes.join(" ");
    if (this.lineCap !== "butt") look["stroke-linecap"] = this.lineCap;
    this.#drawn(look);
  }
  fillText(text, x, y, most) {
    const [, weight, size, family] = /^(\w+ )?([\d.]+)px (.+)$/.exec(this.font);
    const anchor = { left: "start", right: "end", center: "middle" }[
      this.textAlign
    ];
    const down = this.textBaseline === "middle" ? 0.35 * size : 0;
    const look = {
      x: shortened(x),
      y: shortened(y + down),
      fill: this.fillStyle,
    };
    Object.assign(look, {
      "font-size": size,
      "font-family": family,
      "text-anchor": anchor,
    });
    if (weight) look["font-weight"] = weight.trim();
    if (most && text.length * size * 0.5 > most)
      look.textLength = shortened(most);
    const told = Object.entries(look).map(
      ([name, value]) => `${name}="${value}"`,
    );
    this.#parts.push(`<text ${told.join(" ")}>${safe(text)}</text>`);
  }
  // The whole picture is drawn: nothing is cut off.
  save() {}
  restore() {}
  clip() {}

  // box: what is seen of the drawing. words: what it says to those who do not see it.
  svg(box, words) {
    const told = `role="img" aria-label="${safe(words)}" viewBox="${box}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${told}>${this.#parts.join("")}</svg>`;
  }
}

function strokeStyle(name) {
  return `var(--${name})`;
}
