// Elements. Text is always set as text, never as HTML, so nothing in it can be executed.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children. Functions are listeners, strings are text. */
export function h(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for SVG. */
export function s(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name in PROPERTIES) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return element;
}

const PROPERTIES = { value: 1, checked: 1, disabled: 1, hidden: 1 };

/** Replace all that an element holds. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return element;
}

export function button(text, act, attributes = {}) {
  return h("button", { type: "button", click: act, ...attributes }, text);
}

export function card(title, ...children) {
  return h("section", { class: "card" }, title ? h("h2", {}, title) : null, ...children);
}

/** A labelled field. */
export function field(text, input) {
  return h("label", {}, text, input);
}

/** A labelled box to tick. */
export function check(text, on, act) {
  const box = h("input", { type: "checkbox", checked: on, change: () => act(box.checked) });
  return h("label", { class: "check" }, box, text);
}

/** A list to choose from; options are [value, text]. */
export function choice(options, value, act, attributes = {}) {
  const list = h("select", { change: () => act(list.value), ...attributes },
    options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)));
  return list;
}

/** An entry of a legend. */
export function key(kind, text) {
  return h("span", { class: `key ${kind}` }, h("i"), text);
}

export function save(name, kind, text) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: kind })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
