import { pointerOf } from "../../tape/json-text.js";
import { cut, h, visible, plain } from "./dom.js";

/** A number in JSON text that JavaScript would write differently, such as `1.0` or `12345678901234567890`. */
export class Literal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface TreeOptions {
  /** The elements that are shown below a value, by the value's JSON pointer. */
  readonly notes?: ReadonlyMap<string, readonly HTMLElement[]>;
  /** The CSS class of a value, by the value's JSON pointer. */
  readonly marks?: ReadonlyMap<string, string>;
}

/** The maximum number of entries shown at first, and the number that each further step adds. */
const MOST_ENTRIES = 200;
/** The maximum number of a string's characters that are shown at first. */
const MOST_CHARACTERS = 400;
/** The number of characters that each further step adds. */
const MORE_CHARACTERS = 50_000;
/** The maximum number of entries in objects and arrays that are expanded at first. */
const MOST_OPEN = 250;

/** Creates a tree that shows a JSON value. Nested values are created when they are expanded. */
export function tree(root: unknown, options: TreeOptions = {}): HTMLElement {
  const budget = { left: MOST_OPEN };
  const noted = [...(options.notes?.keys() ?? []), ...(options.marks?.keys() ?? [])].slice(0, 200);
  const element = h("div.tree", { "data-pointer": "" }, ...(options.notes?.get("") ?? []));
  if (isContainer(root)) entries(element, root, "", 0);
  else element.append(scalar(root));
  return element;

  function node(key: string, pointer: string, inner: unknown, isOpen: boolean): HTMLElement {
    const title = plain(pointer, 500);
    const name = h("span.key", { title }, `${plain(key, 300)}: `);
    const notes = options.notes?.get(pointer) ?? [];
    const mark = options.marks?.get(pointer) ?? "";
    const place = { "data-pointer": cut(pointer, 2000), class: `node ${mark}` };
    if (!isContainer(inner)) return h("div", place, name, scalar(inner), ...notes);
    const size = Object.keys(inner).length;
    const brackets = Array.isArray(inner) ? "[]" : "{}";
    if (size === 0) {
      return h("div", place, name, h("span.bracket", brackets), ...notes);
    }
    const isNoted = noted.some((one) => one.startsWith(`${pointer}/`));
    const opens = isNoted || (isOpen && budget.left >= size);
    if (opens) budget.left -= size;
    const body = h("div.body");
    const fill = (): void => {
      if (body.childElementCount === 0) entries(body, inner, pointer, 0);
    };
    const preview = h("span.preview", previewOf(inner));
    const details = h(
      "details",
      { open: opens, ontoggle: fill },
      h("summary", name, preview),
      ...notes,
      body,
    );
    if (opens) fill();
    return h("div", place, details);
  }

  function entries(body: HTMLElement, inner: object, pointer: string, start: number): void {
    const names = Object.keys(inner);
    const end = Math.min(start + MOST_ENTRIES, names.length);
    for (const name of names.slice(start, end)) {
      const value = (inner as Record<string, unknown>)[name];
      body.append(node(name, pointer + pointerOf([name]), value, names.length <= MOST_ENTRIES));
    }
    if (end === names.length) return;
    const more = h(
      "button.more",
      {
        onclick: () => {
          more.remove();
          entries(body, inner, pointer, end);
        },
      },
      `${(names.length - end).toLocaleString("en")} more`,
    );
    body.append(more);
  }
}

/** Expands a tree down to a pointer. Returns the element of the value there, or of the nearest enclosing value. */
export function reveal(root: HTMLElement, pointer: string): HTMLElement | undefined {
  const parts = pointer.split("/");
  let found: HTMLElement | undefined;
  for (let length = 1; length <= parts.length; length++) {
    const wanted = CSS.escape(parts.slice(0, length).join("/"));
    const next = root.querySelector<HTMLElement>(`[data-pointer="${wanted}"]`);
    if (next === null) break;
    found = next;
    const details = next.querySelector<HTMLDetailsElement>(":scope > details");
    if (details === null || length === parts.length) continue;
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
  }
  return found;
}

/** Returns a pointer, shortened to the part that leads to an existing value. */
export function existing(value: unknown, pointer: string): string {
  const parts = pointer.split("/").slice(1);
  let at = value;
  let reached = "";
  for (const part of parts) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isContainer(at) || !Object.hasOwn(at, name)) break;
    at = (at as Record<string, unknown>)[name];
    reached += `/${part}`;
  }
  return reached;
}

export function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Literal);
}

function scalar(value: unknown): HTMLElement {
  if (value instanceof Literal) return h("span.number", value.text);
  if (typeof value !== "string") {
    return h("span", { class: value === null ? "null" : typeof value }, String(value));
  }
  if (value.length <= MOST_CHARACTERS) return h("span.string", quoted(value));
  const shown = h("span.string", `${quoted(value.slice(0, MOST_CHARACTERS))}…`);
  let length = MOST_CHARACTERS;
  const more = h(
    "button.more",
    {
      onclick: () => {
        length += MORE_CHARACTERS;
        const isWhole = length >= value.length;
        shown.textContent = quoted(value.slice(0, length)) + (isWhole ? "" : "…");
        if (isWhole) more.remove();
      },
    },
    `of ${value.length.toLocaleString("en")} characters: show more`,
  );
  return h("span", shown, " ", more);
}

function quoted(text: string): string {
  return visible(JSON.stringify(text));
}

/** Returns the beginning of a value on one line, with a length of approximately `most` characters at most. */
export function previewOf(value: unknown, most = 80): string {
  if (value instanceof Literal) return value.text;
  if (typeof value === "string") return quoted(cut(value, most));
  if (!isContainer(value)) return String(value);
  const isArray = Array.isArray(value);
  const names = Object.keys(value);
  if (most < 8) return isArray ? `[${names.length}]` : "{…}";
  const parts: string[] = [];
  let left = most;
  for (const name of names) {
    if (left <= 0) {
      parts.push("…");
      break;
    }
    const text = previewOf((value as Record<string, unknown>)[name], left - name.length);
    parts.push(isArray ? text : `${plain(name, 40)}: ${text}`);
    left -= parts.at(-1)!.length + 2;
  }
  return isArray ? `[${parts.join(", ")}]` : parts.length > 0 ? `{ ${parts.join(", ")} }` : "{}";
}

function revive(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined || String(value) === source) return value;
  return new Literal(source);
}

/**
 * Parses JSON text in such a way that numbers keep their text (`Literal`). Returns undefined if this is not possible.
 */
export function exactly(text: string): unknown {
  try {
    return (JSON.parse as (text: string, reviver: typeof revive) => unknown)(text, revive);
  } catch {
    return undefined;
  }
}
