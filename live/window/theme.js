// Colours and fonts: those of the style sheet, light or dark as the reader has chosen.
const NAMES =
  "module paper raised ink soft faint line hair stream query key value weights amber brand";
const dark = () => matchMedia("(prefers-color-scheme: dark)");

// A browser may refuse to keep anything for a page in a frame.
function kept(change) {
  try {
    return change(localStorage);
  } catch {
    return null;
  }
}

export function theme(m, draw) {
  const root = document.documentElement;
  const set = name => {
    root.dataset.theme = name;
    const css = getComputedStyle(root);
    const get = name => css.getPropertyValue(`--${name}`).trim();
    for (const name of NAMES.split(" ")) m.C[name] = get(name);
    m.C.amberInk = get("amber-ink");
    for (const name of ["serif", "sans", "mono"]) m.F[name] = get(name);
    draw();
  };
  // The book's own choice: its theme keeps it under these names.
  const chosen = () => {
    const mode = kept(store => store.getItem("mode"));
    return ["light", "dark"].includes(mode) ? mode : dark().matches ? "dark" : "light";
  };
  document.querySelector("#theme").onclick = () => {
    const now = root.dataset.theme === "dark" ? "light" : "dark";
    kept(store => store.setItem("mode", now));
    kept(store => store.setItem("theme", now));
    set(now);
  };
  dark().addEventListener("change", () => set(chosen()));
  set(chosen());
}
