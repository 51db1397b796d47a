// In the frame of an attention view: what bertviz leaves out. Its drawing gets names
// and a keyboard, fits the window, and the page is told how high it is.
(() => {
  const vis = document.getElementById("vis");
  const isModel = document.body.classList.contains("model");
  const SVG = "http://www.w3.org/2000/svg";
  const fire = (element, kind) =>
    element.dispatchEvent(new MouseEvent(kind, {bubbles: true}));

  // One tab stop for a row or a column; the arrows move within it.
  function reachable(items, perRow = 1) {
    items.forEach((item, i) => {
      item.setAttribute("tabindex", i ? -1 : 0);
      item.addEventListener("keydown", event => {
        const steps = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: perRow, ArrowUp: -perRow};
        const next = items[i + steps[event.key]];
        if (event.key === "Enter" || event.key === " ")
          fire(item, event.shiftKey ? "dblclick" : "click");
        else if (next) {
          item.setAttribute("tabindex", -1);
          next.setAttribute("tabindex", 0);
          next.focus();
        } else return;
        event.preventDefault();
      });
    });
  }

  function name(element, role, label) {
    element.setAttribute("role", role);
    element.setAttribute("aria-label", label);
  }

  function nameHeads(svg) {
    const colours = [...svg.querySelectorAll("#left .attentionBoxes > g")];
    const squares = [...svg.querySelectorAll(":scope > g:not([id]) > rect")];
    // bertviz makes the colour of a head that is off paler, and keeps no other record.
    const showState = () => squares.forEach((square, i) => {
      const own = colours[i].firstElementChild.getAttribute("fill");
      const on = square.getAttribute("fill") === own;
      square.setAttribute("aria-checked", on);
      square.setAttribute("stroke", on ? "#1a1a1a" : "none");
    });
    squares.forEach((square, i) => {
      name(square, "checkbox", `Head ${i}`);
      square.append(document.createElementNS(SVG, "title"));
      square.lastChild.textContent = `Head ${i}`;
      const number = document.createElementNS(SVG, "text");
      const place = {x: 20 * i + 10, y: -4, "text-anchor": "middle", "font-size": 12};
      for (const key in place) number.setAttribute(key, place[key]);
      number.setAttribute("aria-hidden", true);
      number.textContent = i;
      svg.append(number);
      square.addEventListener("click", showState);
      square.addEventListener("dblclick", showState);
    });
    showState();
    reachable(squares);
    return squares.length;
  }

  // Focus on a token does what pointing at it does.
  function nameTokens(column, tokens, label) {
    name(column, "listbox", label);
    tokens.forEach(token => {
      name(token, "option", token.textContent);
      token.setAttribute("aria-selected", false);
      token.addEventListener("focus", () => {
        token.setAttribute("aria-selected", true);
        fire(token, "mouseover");
      });
      token.addEventListener("blur", () => {
        token.setAttribute("aria-selected", false);
        for (const place of [token, column])
          place.dispatchEvent(new MouseEvent("mouseleave"));
      });
    });
    reachable(tokens);
  }

  function nameThumbnails(svg) {
    const pictures = [...svg.querySelectorAll(":scope > g > rect:last-child")];
    const perRow = new Set(pictures.map(rect => rect.getAttribute("x"))).size;
    const tell = () => {
      pictures.forEach(rect => rect.setAttribute("aria-pressed",
        rect.parentNode.firstElementChild.getAttribute("stroke-opacity") > 0));
      const column = svg.querySelector(".detail:has(text.token)");
      if (column) nameTokens(column, [...column.children], "Tokens that look");
    };
    pictures.forEach((rect, i) => {
      name(rect, "button", `Layer ${Math.floor(i / perRow)}, head ${i % perRow}`);
      rect.setAttribute("fill", "transparent");
      rect.style.opacity = 1; // an outline would share an opacity of 0
      rect.addEventListener("click", tell);
    });
    tell();
    reachable(pictures, perRow);
  }

  function dress() {
    const svg = vis.querySelector("svg:not([viewBox])");
    if (!svg) return;
    name(svg, "group", document.title);
    const height = parseFloat(svg.getAttribute("height"));
    let width = parseFloat(svg.getAttribute("width")), above = 0;
    if (isModel) nameThumbnails(svg);
    else {
      width = Math.max(345, 20 * nameHeads(svg));
      above = 18; // for the numbers of the heads
      for (const [id, label] of [["left", "that look"], ["right", "looked at"]]) {
        const column = svg.querySelector(`#${id}`);
        const tokens = column.querySelectorAll(":scope > g:not(.attentionBoxes) > g");
        nameTokens(column, [...tokens], `Tokens ${label}`);
      }
    }
    svg.setAttribute("viewBox", `-1 ${-above} ${width} ${height + above}`);
    svg.setAttribute("width", "100%");
    svg.style.maxWidth = `${isModel ? width : 1.2 * width}px`;
    svg.style.height = "auto";
    svg.removeAttribute("height");
    parent.postMessage({attentionViewDrawn: true}, "*");
  }

  new MutationObserver(dress).observe(vis, {childList: true});
  new ResizeObserver(() => {
    const {height} = document.body.getBoundingClientRect();
    parent.postMessage({attentionViewHeight: Math.ceil(height) + 18}, "*");
  }).observe(document.body);
})();
