// What is wrong with the page as it is drawn now, as a list of texts.
(() => {
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("pre"));
    faults.push("wider than the window: " + wide.slice(0, 5).map(e => e.localName + "." + e.className).join(" "));
  }

  const edge = document.querySelector("main").getBoundingClientRect().right + 1;
  for (const t of document.querySelectorAll("table"))
    if (t.getBoundingClientRect().right > edge) faults.push("wider than its place: a table of " + (t.closest("section") || t).id);
  for (const h of document.querySelectorAll("tbody th"))
    if (h.checkVisibility() && h.clientWidth < 64) { faults.push("too narrow: " + h.textContent.slice(0, 40)); break; }

  // Contrast of every text with what is behind it (WCAG 2, 4.5 to 1).
  const numbers = color => color.match(/[\d.]+/g).map(Number);
  const luminance = color => {
    const [r, g, b] = numbers(color).slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const opaque = color => numbers(color).length < 4 || numbers(color)[3] === 1;
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = e => {
    for (; e; e = e.parentElement) {
      const color = getComputedStyle(e).backgroundColor;
      if (opaque(color)) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const low = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n; (n = walker.nextNode());) {
    const e = n.parentElement;
    if (!n.data.trim() || e.closest("script, noscript, svg") || !e.checkVisibility()) continue;
    const r = ratio(getComputedStyle(e).color, behind(e));
    if (r < 4.5) low.add(e.localName + "." + e.className + " " + r.toFixed(2));
  }
  for (const rect of document.querySelectorAll("rect")) { // of things drawn: 3 to 1
    const r = ratio(getComputedStyle(rect).fill, behind(rect.closest("figure, section")));
    if (r < 3) low.add("rect." + rect.getAttribute("class") + " " + r.toFixed(2));
  }
  if (low.size) faults.push("too little contrast: " + [...low].join(", "));

  // Headings without a gap, one main part, texts of at least 12 px.
  let level = 0;
  for (const h of document.querySelectorAll("h1, h2, h3, h4")) {
    const now = Number(h.localName[1]);
    if (now > level + 1) faults.push("heading " + h.textContent + " skips a level");
    level = now;
  }
  for (const [what, n] of [["h1", 1], ["main", 1], ["header", 1], ["footer", 1]])
    if (document.querySelectorAll(what).length !== n) faults.push("not one " + what);
  const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
  if (new Set(ids).size !== ids.length) faults.push("an id is there twice");
  for (const a of document.querySelectorAll("a[href^='#']"))
    if (!document.getElementById(a.getAttribute("href").slice(1))) faults.push("a link leads nowhere: " + a.getAttribute("href"));
  for (const e of document.querySelectorAll("body *"))
    if (e.checkVisibility() && e.textContent.trim() && parseFloat(getComputedStyle(e).fontSize) < 12) { faults.push("small letters: " + e.localName + "." + e.className); break; }
  if (getComputedStyle(root).scrollBehavior !== "auto") faults.push("moves although less motion is asked for");
  for (const e of document.querySelectorAll("button, select, input, summary")) {
    const box = e.getBoundingClientRect();
    if (e.checkVisibility({ contentVisibilityAuto: true }) && box.height < 24) { faults.push("hard to hit: " + e.localName + " of " + box.height + " px"); break; }
  }
  return faults;
})()
