// The only script of the live page that loads of itself: it offers to load the rest.
(() => {
  const lacks =
    location.protocol === "file:"
      ? "To type a text of your own here, run “make serve” in the course’s folder and " +
        "open this page at the address that it prints."
      : typeof WebAssembly !== "object" || typeof Worker !== "function"
        ? "This browser has no WebAssembly or no workers, which typing a text of your " +
          "own here needs."
        : "";

  const linked = new URLSearchParams(location.hash.slice(1)).get("live");
  for (const place of document.querySelectorAll("[data-live]")) {
    if (linked === place.dataset.live) place.scrollIntoView();
    const note = place.querySelector(".live-note");
    if (lacks) {
      note.append(lacks);
      continue;
    }
    const start = place.querySelector(".live-start");
    const page = JSON.parse(place.dataset.page);
    start.hidden = false;
    start.firstElementChild.addEventListener("click", async () => {
      try {
        const code = new URL(`${page.code}start.js`, document.baseURI);
        (await import(code)).start(place, page);
      } catch {
        note.textContent =
          "The live page could not be loaded. Is the network there? Then try again.";
      }
    });
  }
})();
