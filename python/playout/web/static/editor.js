// The position editor: put men on squares, choose who is to move. The server checks the result.

import { ask, trying } from "./ask.js";
import { button, choice, field, h, put, s } from "./dom.js";
import { showGame, state, watch } from "./state.js";

const MEN = [["w", "white man"], ["b", "black man"], [".", "nothing"]];

export function editor() {
  const box = h("div", { class: "stack", id: "editor" });
  let man = "w";
  let rows = [];
  let turn = 0;

  function begin() {
    rows = state.shown.rows.map((row) => [...row].map((each) => "wb".includes(each) ? each : "."));
    turn = state.shown.turn;
    draw();
  }

  function draw() {
    const side = 30;
    const [height, width] = [rows.length * side, rows[0].length * side];
    const picture = s("svg", { class: "board small", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "editor" });
    rows.forEach((row, y) => row.forEach((each, x) => {
      picture.append(s("rect", { class: "edit", x: x * side, y: y * side, width: side, height: side,
        fill: state.shown.colours[(x + y) % 2], click: () => { rows[y][x] = man; draw(); } }));
      if (each !== ".") picture.append(s("circle", { class: `man ${each}`, cx: (x + 0.5) * side, cy: (y + 0.5) * side, r: 11 }));
    }));
    put(box, h("p", { class: "soft" }, "Choose what to put, then click squares."),
      h("div", { class: "bar" }, field("put", choice(MEN, man, (value) => { man = value; })),
        field("to move", choice(state.shown.sides.map((name, index) => [String(index), name]), String(turn), (value) => { turn = Number(value); })),
        button("Clear", () => { rows = rows.map((row) => row.map(() => ".")); draw(); }),
        button("As on the board", begin),
        button("Set up this position", set, { class: "main" })), picture);
  }

  async function set() {
    const board = rows.map((row) => row.join(""));
    const shown = await trying(() => ask("edited", { game: state.shown.game, board, turn }));
    if (shown) showGame(shown);
  }

  watch(() => box.isConnected && begin());
  begin();
  return box;
}
