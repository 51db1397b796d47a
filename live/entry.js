// The only script of the live page that loads of itself: it offers to load the rest.
(() => {
  const LOST =
    "The live page could not be loaded. Is the network there? Then try again.";
  const refused = status =>
    `The live page could not be loaded: the server answered ${status}. ` +
    (status === 404
      ? "This page may be of an earlier build of the book; reload it."
      : "Try again later.");
  // The smallest module with an instruction of SIMD, which the runtime is compiled to.
  const SIMD = [
    [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0],
    [65, 0, 253, 15, 253, 98, 11],
  ].flat();
  const canRun = () =>
    typeof Worker === "function" &&
    typeof WebAssembly === "object" &&
    WebAssembly.validate(Uint8Array.from(SIMD));
  const lacks =
    location.protocol === "file:"
      ? "To use this box, run “make serve” in the course’s folder and " +
        "open this page at the address that it prints."
      : canRun()
        ? ""
        : "This browser has no WebAssembly with SIMD, or no workers, which typing a text " +
          "of your own here needs.";
  const places = [...document.querySelectorAll("[data-live]")];

  // Fetched before it is imported: a browser may hold on to a failed import until the
  // page is loaded anew.
  async function fetchScript(url) {
    let status;
    try {
      const response = await fetch(url);
      if (response.ok) return await response.arrayBuffer();
      status = response.status;
    } catch {
      throw new Error(LOST);
    }
    throw new Error(refused(status));
  }

  const addressOf = (page, name) => new URL(page.code + name, document.baseURI);

  async function script(page, name) {
    try {
      return await import(addressOf(page, name));
    } catch {
      throw new Error(LOST);
    }
  }

  async function scripts(page) {
    const needed = page.scripts.filter(
      name => /\.js$/.test(name) && name !== "entry.js"
    );
    await Promise.all(needed.map(name => fetchScript(addressOf(page, name))));
    return script(page, "start.js");
  }

  // Bar and button while it loads; the button aborts.
  function loadingBar(page, stopper) {
    const bar = document.createElement("p");
    const progress = document.createElement("progress");
    const stop = document.createElement("button");
    bar.className = "live-loading";
    progress.max = page.bytes;
    progress.setAttribute("aria-label", "Loading");
    stop.type = "button";
    stop.textContent = "Stop";
    stop.addEventListener("click", () =>
      stopper.abort(new Error("Loading was stopped."))
    );
    bar.append(progress, " ", stop);
    return {bar, progress, stop};
  }

  async function begin(place, page) {
    const offer = place.querySelector(".live-start");
    const note = place.querySelector(".live-note");
    if (offer.hidden) return; // it loads, or runs
    offer.hidden = true;
    const stopper = new AbortController();
    const {signal} = stopper;
    const stopped = new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason))
    );
    const {bar, progress, stop} = loadingBar(page, stopper);
    offer.after(bar);
    stop.focus({preventScroll: true});
    note.setAttribute("role", "status");
    note.textContent = "Loading the live page …";
    try {
      const started = scripts(page).then(({start}) =>
        start(place, page, {progress, signal, script: name => script(page, name)})
      );
      await Promise.race([started, stopped]);
    } catch (problem) {
      offer.hidden = false;
      offer.firstElementChild.focus({preventScroll: true});
      note.textContent = problem.message;
    } finally {
      bar.remove();
    }
  }

  // Shows the widget that a link is for, and says where the link does not fit. (What
  // the link sets is read by the widget itself, once it runs.)
  async function follow() {
    const kind = new URLSearchParams(location.hash.slice(1)).get("live");
    if (kind === null || !places.length) return;
    (places.find(place => place.dataset.live === kind) ?? places[0]).scrollIntoView();
    if (lacks) return;
    for (const place of places) {
      const page = JSON.parse(place.dataset.page);
      try {
        (await script(page, "share.js")).linked(place, page);
      } catch {
        // Without the script nothing can be said; a click on the button will try again.
      }
    }
  }

  for (const place of places) {
    if (lacks) {
      place.querySelector(".live-note").append(lacks);
      continue;
    }
    const offer = place.querySelector(".live-start");
    const page = JSON.parse(place.dataset.page);
    offer.hidden = false;
    offer.firstElementChild.addEventListener("click", () => begin(place, page));
  }
  window.addEventListener("hashchange", follow);
  follow();
})();
