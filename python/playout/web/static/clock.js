// Clocks of both players. The page runs them; a side whose time is over has lost.

import { choice, field, h, put } from "./dom.js";
import { state } from "./state.js";

const TIMES = [["", "none"], ["60+0", "1 min"], ["180+2", "3 min + 2 s"], ["600+5", "10 min + 5 s"]];

export function clocks(flag) {
  const box = h("div", {});
  let setting = "";
  let left = [0, 0];
  let running = null;
  let last = performance.now();
  let is_over = false;

  const reset = () => {
    const [main] = setting.split("+").map(Number);
    left = [main || 0, main || 0];
    is_over = false;
    last = performance.now();
    draw();
  };
  const list = choice(TIMES, setting, (value) => { setting = value; reset(); }, { "aria-label": "clock" });
  const faces = h("div", { class: "bar" });
  put(box, h("div", { class: "bar" }, field("clock", list), faces));

  function draw() {
    put(faces, !setting ? null : left.map((seconds, turn) => h("span", { class: `clock mono${running === turn && !is_over ? " runs" : ""}` },
      `${state.shown.sides[turn]} ${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`)));
  }

  function tick() {
    const now = performance.now();
    if (setting && running !== null && !is_over && state.shown.moves.length > 1) {
      left[running] = Math.max(0, left[running] - (now - last) / 1000);
      if (left[running] === 0) {
        is_over = true;
        flag();
      }
      draw();
    }
    last = now;
  }

  const timer = setInterval(tick, 200);
  return {
    box,
    reset,
    stop: () => clearInterval(timer),
    turn: (side) => { tick(); running = side; draw(); },
    moved: (side) => { if (setting) left[side] += Number(setting.split("+")[1]); },
  };
}
