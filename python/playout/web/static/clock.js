// Clocks of both players. The page runs them; a side whose time is over has lost. Another view
// stops them, and they go on when the board is shown again.

import { choice, field, h, put } from "./dom.js";
import { atNewGame, state } from "./state.js";

const TIMES = [["", "none"], ["60+0", "1 min"], ["180+2", "3 min + 2 s"], ["600+5", "10 min + 5 s"]];
const HURRY = 10; // seconds from which tenths are shown
const kept = { setting: "", left: [0, 0], isOver: false };

function restart() {
  const [main] = kept.setting.split("+").map(Number);
  kept.left = [main || 0, main || 0];
  kept.isOver = false;
}
atNewGame(restart);

/** `flag` is called when the side to move has no time left. */
export function clocks(flag) {
  const box = h("div", {});
  let running = null;
  let last = performance.now();

  const set = (value) => { kept.setting = value; restart(); draw(); };
  const list = choice(TIMES, kept.setting, set, { "aria-label": "clock" });
  const faces = h("div", { class: "bar" });
  put(box, h("div", { class: "bar" }, field("clock", list), faces));

  function draw() {
    put(faces, !kept.setting ? null : kept.left.map((seconds, turn) => {
      const kind = seconds === 0 ? " out" : running === turn && !kept.isOver ? " runs" : "";
      return h("span", { class: `clock mono${kind}` }, `${state.shown.sides[turn]} ${face(seconds)}`);
    }));
  }

  function tick() {
    const now = performance.now();
    if (kept.setting && running !== null && !kept.isOver && state.shown.moves.length > 1) {
      kept.left[running] = Math.max(0, kept.left[running] - (now - last) / 1000);
      if (kept.left[running] === 0) {
        kept.isOver = true;
        flag();
      }
      draw();
    }
    last = now;
  }

  const timer = setInterval(tick, 100);
  return {
    box,
    stop: () => clearInterval(timer),
    turn: (side) => { tick(); running = side; draw(); },
    moved: (side) => { if (kept.setting && !kept.isOver) kept.left[side] += Number(kept.setting.split("+")[1]); },
  };
}

/** A time as a clock shows it, rounded up. */
function face(seconds) {
  if (seconds <= HURRY) return `0:${(Math.ceil(seconds * 10) / 10).toFixed(1).padStart(4, "0")}`;
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
