type Child = Node | string | undefined | false | null;

/** The attributes and event listeners (`onclick`) of an element. */
export interface Properties {
  readonly [name: string]: string | number | boolean | undefined | ((event: never) => void);
}

/**
 * Creates an element. Strings become text nodes, so nothing on the page is parsed as markup.
 *
 * @param selector - the tag and its classes, as in `p.dim`
 */
export function h(selector: string, ...content: readonly (Child | Properties)[]): HTMLElement {
  const [tag = "", ...classes] = selector.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const one of content) {
    if (typeof one !== "object" || one === null || one instanceof Node) add(element, [one]);
    else setProperties(element, one);
  }
  return element;
}

function setProperties(element: Element, properties: Properties): void {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as unknown as EventListener);
    } else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
}

export function add(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child !== undefined && child !== false && child !== null) element.append(child);
  }
}

/** Matches control characters, and characters that change how the surrounding text is displayed. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

export function visible(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`,
  );
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

export function plain(text: string, most: number): string {
  return visible(cut(text, most));
}

/** Formats a duration: `4.1 ms`, `1.24 s`, `2 min 05 s`. */
export function time(milliseconds: number): string {
  if (milliseconds < 10) return `${Math.round(milliseconds * 10) / 10} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_995) return `${(milliseconds / 1000).toFixed(2)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
