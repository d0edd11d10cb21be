// How a request is drawn. All that comes from the server is text: it becomes text
// nodes and nothing else.
export const $ = id => document.getElementById(id);

export const make = (name, attributes, ...children) => {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) if (value !== undefined) e.setAttribute(key, value);
  e.append(...children);
  return e;
};

export const button = (text, act, kind) => {
  const b = make("button", { type: "button", class: kind }, text);
  b.addEventListener("click", act);
  return b;
};

// clock is a time in words: "4:59", "3 h 10 min".
export const clock = ms => {
  const s = Math.max(0, Math.ceil(ms / 1000));
  return s >= 3600 ? Math.floor(s / 3600) + " h " + Math.floor(s % 3600 / 60) + " min" : Math.floor(s / 60) + ":" + String(s % 60).padStart(2, "0");
};

export const moment = text => new Date(text).toLocaleString("sv"); // 2026-11-02 10:00:00
export const short = id => id.slice(0, 8);

export const title = r => [
  make("span", { class: "code" }, r.code),
  make("span", { class: "who" }, [r.agent, short(r.session), r.tool && "tool " + r.tool].filter(Boolean).join(" ")),
];

// command is all of it that is here. What may not fit into its box is told in
// numbers: nobody shall overlook that there is more below.
export const command = r => {
  const long = r.rows > 15 || r.command.length > 1500;
  const box = make("pre", long ? { class: "command", tabindex: "0", role: "region", "aria-label": "Command of " + r.code } : { class: "command" }, make("code", {}, r.command || " "));
  if (!long) return [box];
  const size = (r.command.length + r.hidden).toLocaleString("en") + " characters";
  return [box, make("p", { class: "cut" }, r.rows > 1 ? r.rows.toLocaleString("en") + " lines, " + size : size)];
};

// facts is why it is asked about, and what is known of it.
export const facts = r => {
  const list = make("dl", { class: "facts" });
  const add = (name, values) => { if (values.length) list.append(make("dt", {}, name), make("dd", {}, ...values)); };
  const lines = texts => texts.slice(0, 20).map(t => make("p", {}, t)).concat(texts.length > 20 ? [make("p", { class: "rule" }, "and " + (texts.length - 20) + " more")] : []);
  add("Asks", r.why.map(w => make("p", {}, w.text + " ", make("span", { class: "rule" }, [w.rule, w.source].filter(Boolean).join(" · ")))));
  add("In", [make("code", {}, r.cwd)]);
  add("Would", lines(r.does));
  add("Runs", lines(r.runs));
  add("Has seen", lines(r.seen));
  return list;
};

// result is what has become of a request that waits no more.
export const result = r => {
  const word = { approved: "Approved", denied: "Denied", expired: "Expired", used: "Approved, and it has run" }[r.state] || r.state;
  return make("p", { class: "result" }, make("span", { class: r.state }, word), (r.by ? " by " + r.by : r.state === "expired" ? ": nobody has answered in time" : "") + (r.reason ? ": " + r.reason : ""));
};
