// Moves the parts of a picture to their places. Nothing moves where motion is reduced.

const TAKES = 600; // ms

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const place = (x, y) => `translate(${x}px, ${y}px)`;
const numbersOf = mark => mark.split(",").map(Number);

export function play(picture) {
  if (still()) return;
  const options = delay => ({duration: TAKES, delay, easing: "ease-in-out"});
  for (const part of picture.querySelectorAll("[data-from]")) {
    const [x, y, delay] = numbersOf(part.dataset.from);
    const frames = [
      {transform: place(x, y), opacity: 0.05},
      {transform: "none", opacity: 1},
    ];
    part.animate(frames, {...options(delay), fill: "backwards"});
  }
  for (const part of picture.querySelectorAll("[data-to]")) {
    const [x, y, delay] = numbersOf(part.dataset.to);
    const frames = [
      {transform: "none", opacity: 1},
      {transform: place(x, y), opacity: 0.1},
    ];
    part.animate(frames, options(delay));
  }
}

// The token runs along the path of its piece from one part to the next.
export function run(token, from, to) {
  if (still() || from === to) return;
  const frames = [{transform: place(from - to, 0)}, {transform: "none"}];
  token.animate(frames, {duration: TAKES, easing: "ease-in-out"});
}
