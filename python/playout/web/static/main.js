// The page: three views of one game. A view is a function that fills the page and may return a
// function that ends it.

import { begin, follow, state, writeLink } from "./state.js";
import { fault, trying } from "./ask.js";
import { h, put } from "./dom.js";

const VIEWS = { play: "./play.js", inside: "./inside.js", review: "./review.js" };
let end = null;

export async function open(name) {
  const main = document.getElementById("view");
  if (end) end();
  end = null;
  for (const each of document.querySelectorAll("[data-view]")) {
    each.setAttribute("aria-pressed", String(each.dataset.view === name));
  }
  const { view } = await import(VIEWS[name]);
  put(main);
  end = view(main, open) || null;
  main.dataset.view = name;
  state.view = name;
  writeLink();
}

for (const each of document.querySelectorAll("[data-view]")) {
  each.addEventListener("click", () => open(each.dataset.view));
}
window.addEventListener("hashchange", () => trying(follow));
window.addEventListener("error", (event) => fault(event.message));
window.addEventListener("unhandledrejection", (event) => fault(event.reason?.message || "something failed"));

const ready = await trying(begin);
if (state.shown) await open(VIEWS[state.view] ? state.view : "play");
else put(document.getElementById("view"), h("p", {}, "The games could not be loaded."));
performance.mark("ready");
