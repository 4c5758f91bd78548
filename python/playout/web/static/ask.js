// Requests to the server. It keeps nothing, so each request says all that it is about.

const [PATIENCE, PAUSE] = [8, 400]; // tries, and milliseconds between them, if the server is busy

/** The answer to a request; an Error with the server's words if it refuses. */
export async function ask(name, asked, tries = 0) {
  const response = await fetch(`/api/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(asked),
  });
  if (response.status === 429 && tries < PATIENCE) {
    await new Promise((go) => setTimeout(go, PAUSE));
    return ask(name, asked, tries + 1);
  }
  const text = await response.text();
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error(text.slice(0, 300) || `the server answered ${response.status}`);
  }
  if (found.error) throw new Error(found.error);
  return found;
}

/** Events of a stream until it ends. Returns a function that ends it. */
export function listen(name, asked, take, done = () => {}, tries = 0) {
  const source = new EventSource(`/events/${name}?ask=${encodeURIComponent(JSON.stringify(asked))}`);
  let close = () => source.close();
  source.onmessage = (event) => {
    const found = JSON.parse(event.data);
    if (found.busy && tries < PATIENCE) {
      source.close();
      const again = setTimeout(() => { close = listen(name, asked, take, done, tries + 1); }, PAUSE);
      close = () => clearTimeout(again);
      return;
    }
    if (found.error) fault(found.error);
    if (found.end) {
      close();
      done();
    } else take(found);
  };
  source.onerror = () => {
    close();
    fault("the server does not answer: is `playout web` still running?");
    done();
  };
  return () => close();
}

/** Show what went wrong; nothing hides it. */
export function fault(text) {
  const line = document.getElementById("fault");
  line.textContent = text || "";
  line.hidden = !text;
}

/** Run something that may be refused, and show the reason if it is. */
export async function trying(act) {
  try {
    fault("");
    return await act();
  } catch (error) {
    fault(error.message);
    return undefined;
  }
}
