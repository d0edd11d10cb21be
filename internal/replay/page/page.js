// The table of commands, and the switch between light and dark. The data is
// text: it becomes text nodes and nothing else.
"use strict";
(function () {
  const root = document.documentElement;
  const theme = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
  const label = () => { theme.textContent = isDark() ? "Light" : "Dark"; theme.setAttribute("aria-label", "Show it " + theme.textContent.toLowerCase()); };
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; label(); });
  system.addEventListener("change", label);
  theme.hidden = false;
  label();

  const STEP = 100; // rows shown at first, and with each "more"
  const COLUMNS = ["command", "answer", "rule", "times", "last"];
  const rows = JSON.parse(document.getElementById("data").textContent).map(r => ({ cells: r, text: (r[0] + " " + r[2]).toLowerCase() }));
  let order = null, down = false, shown = STEP, found = rows;

  const make = (name, attributes, ...children) => {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
    e.append(...children);
    return e;
  };
  const find = make("input", { type: "search", id: "find", autocomplete: "off", spellcheck: "false", "aria-keyshortcuts": "/" });
  const answer = make("select", { id: "answer" }, ...[["", "all"], ["allow", "allow"], ["ask", "ask"], ["block", "block"]].map(([value, text]) => make("option", { value }, text)));
  const count = make("p", { role: "status", class: "quiet" });
  const heads = COLUMNS.map((name, i) => make("th", { role: "columnheader", scope: "col", class: "c" + i + (i === 3 ? " n" : "") }, make("button", { type: "button" }, name)));
  const body = make("tbody", { role: "rowgroup" });
  const more = make("button", { type: "button" }, "Show more");
  document.getElementById("table").append(
    make("div", { class: "tools" }, make("label", { class: "find" }, "Find a command or a rule ( / )", find), make("label", {}, "Answer", answer)),
    count,
    make("table", { class: "rows", role: "table", "aria-labelledby": "commands-title" }, make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads)), body),
    more);

  const compare = (a, b) => {
    const x = a.cells[order], y = b.cells[order];
    return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
  };
  const draw = () => {
    const list = found.slice(0, shown).map((row, i) => make("tr", { role: "row", tabindex: i ? "-1" : "0" }, ...row.cells.map((cell, k) => {
      const td = make("td", { role: "cell", class: "c" + k + (k === 3 ? " n" : "") });
      if (k === 0) td.append(make("code", {}, cell));
      else if (k === 1) td.append(make("span", { class: "word " + cell }, cell));
      else td.append(k === 3 ? cell.toLocaleString("en") + "\u00a0×" : cell);
      return td;
    })));
    body.replaceChildren(...list);
    more.hidden = found.length <= shown;
    count.textContent = found.length.toLocaleString("en") + " of " + rows.length.toLocaleString("en") + " commands";
    heads.forEach((th, i) => i === order ? th.setAttribute("aria-sort", down ? "descending" : "ascending") : th.removeAttribute("aria-sort"));
  };
  const search = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = rows.filter(r => (!answer.value || r.cells[1] === answer.value) && words.every(w => r.text.includes(w)));
    if (order !== null) found.sort(compare);
    shown = STEP;
    draw();
  };
  find.addEventListener("input", search);
  answer.addEventListener("change", search);
  more.addEventListener("click", () => {
    const at = shown;
    shown += STEP;
    draw();
    go(body.rows[at]);
  });
  heads.forEach((th, i) => th.firstChild.addEventListener("click", () => {
    down = order === i ? !down : i > 2; // numbers and dates: the largest first
    order = i;
    search();
  }));

  const go = row => {
    if (!row) return;
    for (const r of body.querySelectorAll("tr[tabindex='0']")) r.tabIndex = -1;
    row.tabIndex = 0;
    row.focus();
  };
  body.addEventListener("keydown", e => {
    const row = e.target.closest("tr");
    const to = { ArrowDown: row.nextSibling, ArrowUp: row.previousSibling, Home: body.firstChild, End: body.lastChild }[e.key];
    if (to === undefined || e.altKey || e.ctrlKey || e.metaKey) return;
    e.preventDefault();
    go(to);
  });
  find.addEventListener("keydown", e => {
    if (e.key !== "ArrowDown") return;
    e.preventDefault();
    go(body.firstChild);
  });
  document.addEventListener("keydown", e => {
    if (e.altKey || e.ctrlKey || e.metaKey) return;
    if (e.key === "/" && !e.target.closest("input, select")) {
      e.preventDefault();
      find.focus();
    } else if (e.key === "Escape" && e.target.closest("#table")) {
      e.preventDefault();
      find.value = "";
      answer.value = "";
      search();
      find.focus();
    }
  });
  search();
})();
