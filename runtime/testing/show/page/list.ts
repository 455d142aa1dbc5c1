import { EVERYTHING } from "../model/filter.js";
import { verdictOf } from "../model/order.js";
import { beginsGroup, groupOf, type Row } from "../model/row.js";
import { count, h, time, plain } from "./dom.js";
import { titleOf } from "./detail.js";
import { previewOf } from "./tree.js";

/** The height of a row in pixels, as in the style sheet. */
const ROW_HEIGHT = 28;
/** The number of rows above and below the visible ones that are also in the document. */
const AROUND = 8;

export interface ListOptions {
  readonly select: (row: Row) => void;
  readonly fold: (row: Row) => void;
}

/** A list of rows. Only the rows in view, and a few around them, are in the document. */
export interface List {
  readonly element: HTMLElement;
  update(
    rows: readonly Row[],
    selected: Row | undefined,
    folded: ReadonlySet<Row>,
    matching: (row: Row) => boolean,
  ): void;
  reveal(): void;
  readonly page: number;
  readonly isAtEnd: boolean;
  scrollToEnd(): void;
}

export function list({ select, fold }: ListOptions): List {
  let rows: readonly Row[] = [];
  let selected: Row | undefined;
  let folded: ReadonlySet<Row> = new Set();
  let { matches: matching } = EVERYTHING;
  /** The index of the first row in the document. */
  let drawn = 0;
  const view = h("div.window", { role: "presentation" });
  const space = h("div.space", { role: "presentation" }, view);
  const element = h(
    "div.rows",
    {
      role: "tree",
      tabindex: 0,
      "aria-label": "Messages",
      onscroll: () => drawn !== rangeOf()[0] && draw(),
    },
    space,
  );

  /** Returns the index of the first row that must be in the document, and the index after the last one. */
  const rangeOf = (): readonly [number, number] => {
    const { scrollTop, clientHeight } = element;
    const last = Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT) + AROUND;
    return [Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - AROUND), Math.min(rows.length, last)];
  };
  const draw = (): void => {
    const [first, last] = rangeOf();
    drawn = first;
    view.style.transform = `translateY(${first * ROW_HEIGHT}px)`;
    view.replaceChildren(
      ...rows.slice(first, last).map((row, index) => elementOf(row, first + index)),
    );
    const active = selected && rows.indexOf(selected);
    if (active !== undefined && active >= first && active < last) {
      element.setAttribute("aria-activedescendant", `row-${selected!.index}`);
    } else element.removeAttribute("aria-activedescendant");
  };

  const elementOf = (row: Row, index: number): HTMLElement => {
    const isGroup = beginsGroup(row);
    const isFolded = folded.has(row);
    const group = groupOf(row);
    const isLast = group !== undefined && group.children.at(-1) === row;
    const twisty = (event: Event): void => {
      event.stopPropagation();
      fold(row);
    };
    return h(
      "div",
      {
        class: `row ${row.kind} ${group ? "inner" : ""} ${isLast ? "last" : ""} ${row.hasFailed ? "failed" : ""} ${matching(row) ? "" : "around"}`,
        role: "treeitem",
        id: `row-${row.index}`,
        "aria-level": group ? 2 : 1,
        "aria-setsize": rows.length,
        "aria-posinset": index + 1,
        "aria-selected": String(row === selected),
        "aria-expanded": isGroup ? String(!isFolded) : undefined,
        onclick: () => select(row),
      },
      h("span.at", time(row.line.t)),
      lane(row),
      h(
        "span.label",
        isGroup &&
          h("span.twisty", { "aria-hidden": "true", onclick: twisty }, isFolded ? "▸" : "▾"),
        ...labelOf(row),
        isGroup && h("span", { class: `chip ${row.group}` }, chipOf(row)),
        h("span.preview", detailOf(row)),
      ),
      h("span.id", plain(row.id, 24)),
      h("span", { class: `took ${(row.duration ?? 0) >= 1000 ? "slow" : ""}` }, tookOf(row)),
      verdict(row, isGroup && isFolded),
    );
  };

  new ResizeObserver(() => draw()).observe(element);

  return {
    element,
    update(newRows, newSelected, newFolded, newMatching) {
      [rows, selected, folded, matching] = [newRows, newSelected, newFolded, newMatching];
      space.style.height = `${rows.length * ROW_HEIGHT}px`;
      draw();
    },
    reveal() {
      const index = selected === undefined ? -1 : rows.indexOf(selected);
      if (index < 0) return;
      const top = index * ROW_HEIGHT;
      const { scrollTop, clientHeight } = element;
      if (top < scrollTop) element.scrollTop = top - ROW_HEIGHT;
      else if (top + 2 * ROW_HEIGHT > scrollTop + clientHeight) {
        element.scrollTop = top + 2 * ROW_HEIGHT - clientHeight;
      }
      if (drawn !== rangeOf()[0]) draw();
    },
    get page() {
      return Math.max(1, Math.floor(element.clientHeight / ROW_HEIGHT) - 1);
    },
    get isAtEnd() {
      return element.scrollTop + element.clientHeight >= element.scrollHeight - ROW_HEIGHT;
    },
    scrollToEnd() {
      element.scrollTop = element.scrollHeight;
    },
  };
}

function lane({ line: { from }, kind }: Row): HTMLElement {
  const isMessage = kind !== "text" && kind !== "event";
  const way = from === undefined ? "ended" : `from-${from}`;
  const sides =
    from === undefined ? "" : from === "client" ? "client to server, " : "server to client, ";
  return h(
    "span",
    { class: `lane ${way} ${isMessage ? "" : "dot"}` },
    h("span.sr", `${sides}${kind}`),
  );
}

function labelOf(row: Row): HTMLElement[] {
  const { kind, method, name } = row;
  const isResponse = kind === "result" || kind === "error";
  const title = method === "" ? titleOf(row) : method;
  return [
    h("span", { class: isResponse ? "method answer" : "method" }, plain(title, 120)),
    ...(name === "" || isResponse ? [] : [h("span.name", plain(name, 80))]),
  ];
}

function detailOf({ kind, message, line, name }: Row): string {
  const { params, result, error } = (message ?? {}) as Record<string, unknown>;
  if (kind === "text") return plain(line.text ?? "", 160);
  if (kind === "event") return line.code === undefined ? "" : `exit code ${line.code}`;
  if (kind === "error") {
    const { code, message: text } = (error ?? {}) as Record<string, unknown>;
    return `${previewOf(code)} ${typeof text === "string" ? plain(text, 160) : ""}`;
  }
  if (kind === "result") return shortOf(withoutMeta(result));
  if (kind === "other") return previewOf(message, 160);
  const inner = withoutMeta(params);
  if (inner === undefined || (name !== "" && Object.keys(inner as object).length === 1)) return "";
  return shortOf((inner as { arguments?: unknown }).arguments ?? inner);
}

function shortOf(value: unknown): string {
  const text = previewOf(value, 160);
  return text === "{}" ? "" : text;
}

function withoutMeta(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { _meta: _, ...rest } = value as Record<string, unknown>;
  return rest;
}

function chipOf({ group, children }: Row): string {
  const requests = children.filter(({ kind }) => kind === "request").length;
  const others = children.filter(({ kind }) => kind === "notification").length;
  switch (group) {
    case "rounds":
      return count(requests + 1, "round");
    case "task":
      return `task, ${count(requests, "poll")}`;
    case "subscription":
      return `subscription, ${count(others, "event")}`;
    case "login":
      return "login";
    default:
      return count(children.length + 1, "message");
  }
}

function tookOf(row: Row): string {
  const { duration, kind, response } = row;
  if (beginsGroup(row)) return time(row.children.at(-1)!.line.t - row.line.t);
  if (kind === "request" && response === undefined) return "open";
  return duration === undefined || kind === "request" ? "" : time(duration);
}

function verdict(row: Row, withChildren: boolean): HTMLElement {
  const { errors, warnings } = verdictOf(row, withChildren);
  const number = errors + warnings;
  if (number === 0) return h("span.verdict");
  const severity = errors > 0 ? "error" : "warning";
  const words = count(number, "finding");
  return h(
    "span",
    { class: `verdict ${severity}`, title: words },
    String(number),
    h("span.sr", ` ${number === 1 ? "finding" : "findings"}`),
  );
}
