// The tree of a search, rebuilt from its simulations: which moves were tried how often, with what mean.

/** The tree after the first `n` steps; nodes are paths, `key` is the moves joined by spaces. */
export function treeAfter(steps, n, turn) {
  const root = node("", "", 0, turn);
  for (const step of steps.slice(0, n)) count(root, step);
  return root;
}

function node(key, move, depth, turn) {
  return { key, move, depth, turn, visits: 0, wins: 0, children: new Map() };
}

/** Add one simulation. Wins are those of the player who made the move that leads to a node. */
function count(root, step) {
  let at = root;
  at.visits += 1;
  for (const move of step.path) {
    const key = at.key ? `${at.key} ${move}` : move;
    if (!at.children.has(move)) at.children.set(move, node(key, move, at.depth + 1, 1 - at.turn));
    const mover = at.turn;
    at = at.children.get(move);
    at.visits += 1;
    at.wins += mover === 0 ? step.result : 1 - step.result;
  }
}

/** Make sure that a path can be drawn, also if its last node is not counted yet. */
export function withPath(root, path) {
  let at = root;
  for (const move of path) {
    const key = at.key ? `${at.key} ${move}` : move;
    if (!at.children.has(move)) at.children.set(move, node(key, move, at.depth + 1, 1 - at.turn));
    at = at.children.get(move);
  }
  return root;
}

export function keysOf(path) {
  return path.map((_, index) => path.slice(0, index + 1).join(" "));
}

/** Least visits of a node that is drawn, so that at most `most` leaves are. */
export function leastVisits(root, most) {
  let least = 1;
  while (leaves(root, least) > most) least += 1;
  return least;
}

function leaves(at, least) {
  const kept = [...at.children.values()].filter((each) => each.visits >= least);
  return kept.length ? kept.reduce((sum, each) => sum + leaves(each, least), 0) : 1;
}
