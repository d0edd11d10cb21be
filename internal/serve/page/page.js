// The page of what waits for a person. All that comes from the server is text: it
// becomes text nodes and nothing else.
import { $, make, button, clock, moment, short, title, command, facts, result } from "/request.js";

const STEP = 50;    // cards shown at first, and with each "more"
const GUARD = 500;  // ms in which an answer's last step does nothing: a second click of the first, or what moved below the pointer
const SILENCE = 25_000; // ms without a word of the server until the stream counts as lost

// The server.

const keep = "bashgate-key"; // only this server's pages can read it
let key = null;
class Refused extends Error {
  constructor(status, text) { super(text); this.status = status; }
}
const ask = async (path, body, signal) => {
  const options = { headers: { "X-Bashgate-Key": key || "" }, signal, credentials: "same-origin", redirect: "error", cache: "no-store" };
  if (body) Object.assign(options, { method: "POST", body: JSON.stringify(body) }), options.headers["Content-Type"] = "application/json";
  const response = await fetch(path, options);
  if (response.ok) return response;
  const text = await response.json().then(v => v.error, () => "the server has answered " + response.status);
  if (response.status === 401) out("Its time is over, or the server was started anew.");
  throw new Refused(response.status, text);
};
const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
const out = why => {
  key = null;
  localStorage.removeItem(keep);
  stop();
  document.querySelector("nav").hidden = $("leave").hidden = true;
  for (const id of views) $(id).hidden = true;
  $("out-why").textContent = why;
  $("out").hidden = false;
  $("state").textContent = "";
  document.title = "bashgate";
};

// What waits.

const cards = new Map(); // by code
let skew = 0;            // the server's clock less this one, in ms
let changed = 0;         // when something last moved
let limit = STEP;
const now = () => Date.now() + skew;
const list = $("requests");

class Card {
  constructor(request) {
    this.request = request;
    this.raw = JSON.stringify(request); // as it was told
    this.step = "";    // "approve" or "deny": the answer that was begun
    this.armed = 0;    // when
    this.busy = false;
    this.all = request.hidden === 0 ? request.command : null; // the whole command, once it is here
    this.row = make("li", { class: "card", tabindex: "-1" });
    this.row.addEventListener("focusin", () => select(this, false));
    this.stale = true; // it is drawn when it is to be seen
  }
  get pending() { return this.request.state === "pending"; }
  get text() { return (this.request.code + " " + this.request.agent + " " + this.request.session + " " + this.request.cwd + " " + this.request.command).toLowerCase(); }
  update(request) {
    const raw = JSON.stringify(request);
    if (raw === this.raw) return; // a stream that begins anew tells all again
    this.raw = raw;
    const same = request.sum === this.request.sum;
    if (request.hidden === 0) this.all = request.command;
    else if (same && this.all !== null) Object.assign(request, { command: this.all, hidden: 0 });
    else this.all = null;
    this.request = request;
    if (!this.pending) this.step = "";
    if (this.row.isConnected) this.draw();
    else this.stale = true;
  }
  draw() {
    this.stale = false;
    const r = this.request, held = this.row.contains(document.activeElement);
    this.row.className = "card" + (this.pending ? "" : " over") + (this.step === "approve" ? " armed" : "") + (chosen === this ? " now" : "");
    this.row.setAttribute("aria-label", "Request " + r.code);
    this.left = make("span", { class: "left" });
    const parts = [make("h3", { class: "top" }, ...title(r), this.left), ...command(r)];
    if (r.hidden > 0) parts.push(make("p", { class: "cut" }, r.hidden.toLocaleString("en") + " more characters are not shown yet. ", this.pending ? button("Show all of it", () => this.whole(), "plain") : ""));
    if (this.pending) parts.push(facts(r), this.acts());
    else parts.push(result(r));
    this.row.replaceChildren(...parts);
    this.tick();
    if (held && !this.row.contains(document.activeElement)) this.row.focus({ preventScroll: true });
  }
  acts() {
    const r = this.request, acts = make("div", { class: "acts" });
    const fault = this.fault ? [make("p", { class: "fault", role: "alert" }, this.fault)] : [];
    if (this.step === "approve") {
      acts.append(make("p", {}, "It may run once, within ten minutes, as it stands here."));
      this.confirm = button("Approve " + r.code, () => this.answer("approved", false), "go");
      acts.append(this.confirm);
      if (r.trust) acts.append(button("Approve, and trust what it has seen", () => this.answer("approved", true)));
      acts.append(button("Back", () => this.back()));
    } else if (this.step === "deny") {
      this.reason = make("input", { type: "text", maxlength: "300", placeholder: "Why? The agent is told. (optional)", "aria-label": "Why, for the agent (optional)", autocomplete: "off" });
      this.reason.addEventListener("keydown", e => { if (e.key === "Enter" && !e.isComposing && !e.repeat) this.answer("denied", false); });
      acts.append(this.reason, button("Deny " + r.code, () => this.answer("denied", false), "go"), button("Back", () => this.back()));
    } else {
      const approve = button("Approve…", () => this.begin("approve"));
      approve.disabled = r.hidden > 0;
      if (r.hidden > 0) approve.title = "Show all of the command first";
      acts.append(button("Deny…", () => this.begin("deny")), approve);
    }
    for (const b of acts.querySelectorAll("button")) b.disabled = b.disabled || this.busy;
    acts.append(...fault);
    return acts;
  }
  tick() {
    const r = this.request, left = Date.parse(r.ends) - now();
    this.left.textContent = this.pending ? clock(left) : (r.state === "approved" ? "until " : "") + moment(r.ends).slice(11);
    this.left.className = "left" + (this.pending && left < 60_000 ? " soon" : "");
    if (this.pending) this.left.setAttribute("aria-label", "waits " + clock(left) + " more");
  }
  begin(step) {
    if (!this.pending || this.busy || step === "approve" && this.request.hidden > 0) return;
    for (const c of cards.values()) if (c !== this && c.step === "approve") c.back(); // one at a time
    this.step = step;
    this.fault = "";
    this.armed = performance.now();
    this.draw();
    (step === "approve" ? this.confirm : this.reason).focus({ preventScroll: true });
    this.row.scrollIntoView({ block: "nearest" });
  }
  back() {
    this.step = this.fault = "";
    this.draw();
  }
  async answer(state, trust) {
    if (this.busy || !this.pending) return;
    if (state === "approved" && (this.step !== "approve" || performance.now() - Math.max(this.armed, changed) < GUARD)) return;
    const reason = this.reason && this.step === "deny" ? this.reason.value : "";
    this.busy = true;
    for (const b of this.row.querySelectorAll("button")) b.disabled = true;
    try {
      const response = await ask("/resolve", { code: this.request.code, sum: this.request.sum, state, reason, trust });
      this.busy = false;
      this.update(await response.json());
      tell(this.request.code + " is " + this.request.state);
      next(this);
    } catch (e) {
      this.busy = false;
      this.step = "";
      this.fault = e instanceof Refused ? e.message : "The server can't be reached: nothing was answered.";
      if (key) this.draw();
    }
    count();
  }
  async whole() {
    try {
      const r = await (await ask("/request?code=" + this.request.code)).json();
      if (r.sum !== this.request.sum) throw new Refused(409, "this is another request by now");
      this.update(r);
    } catch (e) {
      this.fault = e.message;
      this.draw();
    }
  }
}

let chosen = null;
const select = (card, focus = true) => {
  if (chosen !== card) {
    const before = chosen;
    chosen = card;
    if (before) before.row.classList.remove("now");
    if (card) card.row.classList.add("now");
  }
  if (focus && card) {
    card.row.focus({ preventScroll: true });
    card.row.scrollIntoView({ block: "nearest" });
  }
};
const rows = () => [...list.children].map(row => cards.get(row.dataset.code));
const move = by => {
  const all = rows(), at = all.indexOf(chosen);
  if (by > 0 && at === all.length - 1 && !$("more-waiting").hidden) { more(); return move(by); }
  const to = at < 0 ? all[0] : all[Math.min(Math.max(at + by, 0), all.length - 1)];
  if (to) select(to);
};
const next = card => { // the one that waits behind an answered one
  const all = rows(), at = all.indexOf(card);
  const to = all.slice(at + 1).concat(all.slice(0, Math.max(at, 0))).find(c => c.pending) || card;
  if (card.row.contains(document.activeElement) || document.activeElement === document.body) select(to);
};

const fits = card => {
  const words = $("find-waiting").value.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every(w => card.text.includes(w));
};
// show puts the cards that are to be seen into the list, those that wait first, and
// touches no other.
const show = () => {
  const wanted = [...cards.values()].filter(fits);
  wanted.sort((a, b) => b.pending - a.pending); // among themselves they stay as they are
  const seen = wanted.slice(0, limit), held = document.activeElement;
  const stays = new Set(seen.map(c => c.row));
  for (const row of [...list.children]) if (!stays.has(row)) row.remove();
  let after = null; // from the end on: one that has ended moves down, and the others stay
  for (const c of seen.toReversed()) {
    if (c.stale) c.draw();
    if (!c.row.isConnected || c.row.nextSibling !== after) list.insertBefore(c.row, after);
    after = c.row;
  }
  if (held.isConnected && held !== document.activeElement) held.focus({ preventScroll: true });
  $("more-waiting").hidden = wanted.length <= limit;
  $("more-waiting").textContent = "Show more of " + wanted.length.toLocaleString("en");
  $("none").hidden = wanted.length > 0;
  $("none").textContent = cards.size ? "Nothing of what waits has these words." : "Nothing waits.";
  document.querySelector("#waiting .tools").hidden = cards.size <= 5 && !$("find-waiting").value;
};
const more = () => { limit += STEP; show(); };
const count = () => {
  let n = 0;
  for (const c of cards.values()) if (c.pending) n++;
  $("count").textContent = n ? n.toLocaleString("en") : "";
  document.title = n ? "(" + n + ") bashgate" : "bashgate";
};
let linkFault = ""; // of a link that did not open anything, in a browser that was let in before
const trouble = text => {
  $("trouble").textContent = [linkFault, text].filter(Boolean).join(" ");
  $("trouble").hidden = !$("trouble").textContent;
};
const tell = text => { $("news").textContent = text; };

const apply = message => {
  skew = Date.parse(message.now) - Date.now();
  trouble(message.trouble && "Some of what waits can't be read, and does not count: " + message.trouble);
  const fresh = [];
  for (const r of message.requests) {
    const card = cards.get(r.code);
    if (card) { card.update(r); continue; }
    const made = new Card(r);
    made.row.dataset.code = r.code;
    cards.set(r.code, made);
    if (made.pending) fresh.push(made);
  }
  for (const code of message.gone) leaveCard(code);
  if (message.requests.length || message.gone.length) {
    show();
    changed = first ? 0 : performance.now();
  }
  if (!first && fresh.length === 1) tell("New request " + fresh[0].request.code + " from " + fresh[0].request.agent + ": " + fresh[0].request.command.slice(0, 200));
  else if (!first && fresh.length) tell(fresh.length + " new requests");
  first = false;
  count();
};
// leaveCard takes a card away whose request has ended a while ago.
const leaveCard = code => {
  const card = cards.get(code);
  if (!card) return;
  if (card.row.contains(document.activeElement)) move(1);
  if (chosen === card) chosen = null;
  card.row.remove();
  cards.delete(code);
};
setInterval(() => {
  for (const row of list.children) {
    const c = cards.get(row.dataset.code);
    if (c.pending) c.tick();
  }
}, 1000);

// The stream, which begins anew whenever it ends.

let first = true, stream = null, retry = 0;
const stop = () => { if (stream) stream.abort(); stream = null; };
const watch = async () => {
  if (!key) return;
  const control = stream = new AbortController();
  let late = 0;
  const alive = () => { clearTimeout(late); late = setTimeout(() => control.abort(), SILENCE); };
  try {
    alive();
    const response = await ask("/feed", null, control.signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "", fresh = true;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      alive();
      text += value;
      for (let end; (end = text.indexOf("\n")) >= 0; text = text.slice(end + 1)) {
        const message = JSON.parse(text.slice(0, end));
        if (fresh) { // what this one does not name is gone
          const named = new Set(message.requests.map(r => r.code));
          for (const code of cards.keys()) if (!named.has(code)) message.gone.push(code);
          fresh = false;
        }
        retry = 0;
        $("state").textContent = "live";
        $("state").className = "";
        apply(message);
      }
    }
  } catch (e) { /* it is tried again */ }
  clearTimeout(late);
  if (stream !== control || !key) return;
  $("state").textContent = "connection lost, trying again";
  $("state").className = "lost";
  setTimeout(watch, Math.min(5000, 250 * 2 ** retry++));
};

// What was.

const row = (time, word, kind, what, ...more) => make("li", {}, make("time", { datetime: time }, moment(time)), make("span", { class: kind }, word), make("code", { class: "what" }, what), ...more.filter(Boolean).map(m => make("span", { class: "more" }, m)));
let asked = 0;
const history = async () => {
  const mine = ++asked;
  const query = new URLSearchParams({ decision: $("decision").value, find: $("find-history").value });
  try {
    const [log, ended] = await Promise.all([ask("/log?" + query).then(r => r.json()), ask("/ended").then(r => r.json())]);
    if (mine !== asked) return; // there is a newer question
    $("ended").replaceChildren(...ended.requests.map(r => row(r.made, r.state, r.state, r.command, [r.code, r.by && "by " + r.by, r.reason].filter(Boolean).join(" · "))));
    $("no-ended").hidden = ended.requests.length > 0;
    $("lines").replaceChildren(...log.lines.map(l => row(l.time, l.decision || "–", l.decision, l.what, [[l.agent, short(l.session)].filter(Boolean).join(" "), l.rule, l.code, l.by && "by " + l.by, l.reason].filter(Boolean).join(" · "))));
    $("found").textContent = log.off ? "The settings switch the decision log off." : log.lines.length ? (log.more ? "The newest " + log.lines.length + " that fit" : log.lines.length + (log.lines.length === 1 ? " decision" : " decisions")) : "Nothing fits.";
  } catch (e) {
    $("found").textContent = "The history can't be read: " + e.message;
  }
};
let typing = 0;
$("find-history").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(history, 150); });
$("decision").addEventListener("change", history);

const levels = l => [l.corruption && "corruption " + l.corruption, l.secret && "secret " + l.secret].filter(Boolean).join(", ");
const sessions = async () => {
  try {
    const answer = await (await ask("/sessions")).json();
    $("seen").replaceChildren(...answer.sessions.map(s => make("li", { class: "card" },
      make("h3", { class: "top" }, make("span", { class: "code" }, s.name), make("span", { class: "left" + (levels(s) || s.damage ? " soon" : "") }, levels(s) || (s.damage ? "" : "clean"))),
      s.damage ? make("p", { class: "fault" }, "Its record can't be trusted, and counts as both: " + s.damage) : "",
      make("ul", { class: "labels" }, ...s.labels.map(l => make("li", {}, make("span", { class: "quiet" }, moment(l.time) + " · " + levels(l) + " "), l.what, l.why ? make("span", { class: "quiet" }, " · " + l.why) : "", l.trusted ? make("span", { class: "quiet" }, " · trusted by " + l.trusted) : "", l.pending ? make("span", { class: "quiet" }, " · not confirmed") : ""))),
      s.more ? make("p", { class: "quiet" }, "and " + s.more + " older ones") : "")));
    $("no-sessions").hidden = answer.sessions.length > 0;
    $("more-sessions").textContent = answer.more ? "and " + answer.more + " older sessions" : "";
  } catch (e) {
    $("more-sessions").textContent = "The sessions can't be read: " + e.message;
  }
};

// The views, and the keys.

const views = ["waiting", "history", "sessions"];
const view = () => views.find(id => location.hash === "#" + id) || "waiting";
const open = () => {
  if (!key) return;
  const at = view();
  for (const id of views) {
    $(id).hidden = id !== at;
    if (id === at) $("to-" + id).setAttribute("aria-current", "page");
    else $("to-" + id).removeAttribute("aria-current");
  }
  if (at === "history") history();
  if (at === "sessions") sessions();
};
$("more-waiting").addEventListener("click", more);
$("find-waiting").addEventListener("input", () => { limit = STEP; show(); });
$("help-open").addEventListener("click", () => $("help").showModal());
$("leave").addEventListener("click", async () => {
  try { await ask("/leave", {}); } catch (e) { /* it was out already, or the server is gone */ }
  out("It was sent out.");
});
document.addEventListener("keydown", e => {
  if (e.altKey || e.ctrlKey || e.metaKey || e.isComposing || !key || $("help").open) return;
  const typed = e.target.closest("input, select");
  if (e.key === "Escape") {
    if (chosen && chosen.step) { e.preventDefault(); chosen.back(); select(chosen); }
    else if (typed && typed.type === "search") { typed.value = ""; typed.dispatchEvent(new Event("input")); typed.blur(); }
    return;
  }
  if (typed || e.repeat && e.key !== "j" && e.key !== "k") return;
  const at = view();
  const keys = {
    "?": () => $("help").showModal(),
    "1": () => { location.hash = "waiting"; }, "2": () => { location.hash = "history"; }, "3": () => { location.hash = "sessions"; },
    "/": () => {
      if (at === "waiting") document.querySelector("#waiting .tools").hidden = false;
      const find = $("find-" + at);
      if (find) find.focus();
    },
  };
  if (at === "waiting") Object.assign(keys, { j: () => move(1), k: () => move(-1) });
  if (at === "waiting" && chosen && cards.has(chosen.request.code)) Object.assign(keys, { a: () => chosen.begin("approve"), d: () => chosen.begin("deny"), w: () => chosen.request.hidden > 0 && chosen.whole() });
  if (!Object.hasOwn(keys, e.key)) return;
  e.preventDefault();
  keys[e.key]();
});

// A link's token is taken out of the address before anything else.

const enter = async () => {
  const token = location.hash.slice(1);
  if (token && token !== "out" && !views.includes(token)) {
    window.history.replaceState(null, "", location.pathname);
    try {
      key = (await (await ask("/enter", { token })).json()).key;
      localStorage.setItem(keep, key);
    } catch (e) {
      const why = e instanceof Refused ? capital(e.message) + "." : "The server can't be reached.";
      key = localStorage.getItem(keep);
      if (!key) return out(why);
      linkFault = why;
      trouble("");
    }
  } else key = localStorage.getItem(keep);
  if (!key) return out("");
  $("out").hidden = true;
  document.querySelector("nav").hidden = $("leave").hidden = false;
  open();
  stop();
  watch();
};
addEventListener("hashchange", () => views.includes(location.hash.slice(1)) || !location.hash ? open() : enter());
enter();
