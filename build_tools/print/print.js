// What `pdf.py` does in the page of the whole book before Chromium prints it.

globalThis.openEverything = () => {
  document.querySelectorAll("details").forEach(box => {
    box.removeAttribute("name"); // of one name only one is open
    box.open = true;
  });
  document.querySelectorAll(".toggle-hidden, .toggle-hidden > *").forEach(
    box => box.classList.remove("toggle-hidden"));
  dispatchEvent(new Event("resize"));
};

globalThis.isReady = () => document.fonts.status === "loaded" &&
  [...document.querySelectorAll(".math")].every(
    math => math.querySelector("mjx-container")) &&
  (window.Bokeh?.documents ?? []).every(plot => plot.is_idle);

// Headings get places of their own: the chapters of a single page share names such as
// "summary". The front page's own text is a chapter too, in a box beside those it holds:
// else its page's name would come back between two chapters, on an empty page. So would
// that of the empty places before the chapters, which links lead to.
globalThis.readChapters = () => {
  const book = document.querySelector("article > section");
  const front = document.createElement("div");
  front.id = "front-page";
  book.before(front);
  const isText = part => !part.classList.contains("toctree-wrapper");
  front.append(...[...book.children].filter(isText));
  const title = heading => {
    const copy = heading.cloneNode(true);
    copy.querySelectorAll(".headerlink").forEach(link => link.remove());
    return copy.textContent.trim().replace(/\s+/g, " ");
  };
  let places = 0;
  const entry = part => {
    const heading = part.querySelector(":scope > :is(h1, h2, h3)");
    heading.id = `print-${places += 1}`;
    return {id: heading.id, title: title(heading)};
  };
  const chapters = [front, ...book.querySelectorAll(".toctree-wrapper > section")];
  return chapters.map((chapter, number) => {
    chapter.style.page = `chapter-${number}`;
    while (chapter.previousElementSibling?.matches("span"))
      chapter.prepend(chapter.previousElementSibling);
    const sections = chapter.querySelectorAll(
      ":scope > section[id]:has(> :is(h2, h3))");
    return {...entry(chapter), sections: [...sections].map(entry)};
  });
};

globalThis.addFront = ([style, front]) => {
  document.head.insertAdjacentHTML("beforeend", `<style>${style}</style>`);
  const book = document.querySelector("article");
  book.insertAdjacentHTML("afterbegin", front);
  for (let box = book; box !== document.body; box = box.parentElement)
    for (const beside of box.parentElement.children)
      if (beside !== box) beside.classList.add("beside-print"); // menus, own contents
};

globalThis.setNumbers = pages => {
  document.querySelectorAll("#print-contents a").forEach(link => {
    link.lastElementChild.textContent = pages[link.hash.slice(1)];
  });
};
