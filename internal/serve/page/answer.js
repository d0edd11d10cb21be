// The page of a notice's link: it shows a question and gives the one answer that
// the link stands for, once a person has confirmed it.
import { $, make, button, title, command, facts, result } from "/request.js";

const GUARD = 500; // ms in which a click does nothing: it was meant for what was here before

const ask = async (token, confirm) => {
  const response = await fetch("/answer", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token, confirm }), redirect: "error", cache: "no-store" });
  const value = await response.json();
  if (!response.ok) throw new Error(value.error);
  return value;
};
const fail = e => {
  $("request").replaceChildren();
  $("fault").textContent = e.message;
  $("fault").hidden = false;
};
const draw = (r, end) => {
  $("request").replaceChildren(make("li", { class: r.state === "pending" ? "card" : "card over", "aria-label": "Request " + r.code },
    make("h3", { class: "top" }, ...title(r)), ...command(r), ...(r.state === "pending" ? [facts(r)] : []), end));
};

const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
try {
  const { to, request } = await ask(token, false);
  const yes = to === "approved";
  const shown = performance.now();
  $("what").textContent = yes ? "Approve this?" : "Deny this?";
  const go = button((yes ? "Approve " : "Deny ") + request.code, async () => {
    if (performance.now() - shown < GUARD) return;
    go.disabled = true;
    try {
      const answer = await ask(token, true);
      $("what").textContent = "Answered";
      draw(answer.request, result(answer.request));
    } catch (e) { fail(e); }
  }, "go");
  draw(request, make("div", { class: "acts" }, yes ? make("p", {}, "It may run once, within ten minutes, as it stands here.") : "", go));
} catch (e) { fail(e); }
