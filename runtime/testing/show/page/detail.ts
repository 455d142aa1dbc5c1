import type { Loss, Revision } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal/revisions";
import { checkOf, type Finding } from "../../checks/index.js";
import { atRevision } from "../model/at-revision.js";
import { changesOf } from "../model/changes.js";
import type { Rows } from "../model/read-rows.js";
import type { Row } from "../model/row.js";
import { add, count, h, time, plain } from "./dom.js";
import { existing, exactly, previewOf, reveal, tree } from "./tree.js";
import { member } from "../../tape/json-value.js";

export const TABS = ["As sent", "At revision", "HTTP"] as const;

export interface DetailState {
  tab: number;
  /** The revision in the second tab. Default: the first one that differs from the message's revision. */
  target: Revision | undefined;
}

export interface DetailOptions {
  readonly state: DetailState;
  readonly tape: Rows;
  readonly go: (row: Row) => void;
  readonly redraw: () => void;
}

export function detail(row: Row, options: DetailOptions): HTMLElement {
  const { state } = options;
  const panel = h("div", {
    role: "tabpanel",
    id: "panel",
    "aria-labelledby": `tab-${state.tab}`,
    tabindex: 0,
  });
  const fill = [asSent, atOther, aroundIt][state.tab]!;
  add(panel, fill(row, options));
  return h(
    "div.about",
    heading(row, options),
    findingList(row, (pointer) => show(panel, pointer, options)),
    tabs(options),
    panel,
  );
}

function show(panel: HTMLElement, pointer: string, { state, redraw }: DetailOptions): void {
  if (state.tab !== 0) {
    state.tab = 0;
    redraw();
  }
  const root = state.tab === 0 && panel.isConnected ? panel : document.getElementById("panel")!;
  const found = reveal(root, pointer);
  found?.scrollIntoView({ block: "center" });
  found?.classList.add("flash");
  setTimeout(() => found?.classList.remove("flash"), 1200);
}

function heading(row: Row, { go }: DetailOptions): HTMLElement {
  const { line, kind, method, name, id, duration, response, request } = row;
  const link = (target: Row, text: string): HTMLElement =>
    h("button.link", { onclick: () => go(target) }, text);
  const facts: (string | HTMLElement)[] = [
    `line ${line.n + 1}`,
    `at ${time(line.t)}`,
    ...(id === "" ? [] : [`id ${plain(id, 60)}`]),
    ...(row.revision === undefined ? [] : [row.revision.id]),
  ];
  if (response) facts.push(link(response, `response after ${time(duration ?? 0)}`));
  else if (kind === "request") facts.push("no response");
  if (request) facts.push(link(request, `request ${time(duration ?? 0)} before`));
  const arrow =
    line.from === undefined ? "" : line.from === "client" ? "client → server" : "server → client";
  const title = method === "" ? titleOf(row) : method;
  return h(
    "header",
    h("p.way", `${arrow} `, h("span", { class: `kind ${kind}` }, kind)),
    h("h2", plain(title, 200), name === "" ? "" : h("span.name", ` ${plain(name, 200)}`)),
    h("p.facts", ...facts.flatMap((fact, index) => (index === 0 ? [fact] : [" · ", fact]))),
  );
}

export function titleOf({ kind, line }: Row): string {
  if (kind === "text") return "output that is not a message";
  if (kind !== "event") return "message";
  const { http, event = "event" } = line;
  if (http?.method !== undefined) return `HTTP ${http.method}`;
  if (http?.status !== undefined) return `HTTP ${http.status}`;
  return event;
}

function findingList({ findings }: Row, onplace: (pointer: string) => void): HTMLElement | false {
  if (findings.length === 0) return false;
  const items = findings.map((finding) => {
    const { sentence, advice } = checkOf(finding.id) ?? {};
    const { severity, id, pointer, expected, received, requirement } = finding;
    return h(
      "li",
      { class: severity },
      h(
        "p",
        h("strong", severity),
        ` ${id} `,
        pointer !== "" &&
          h("button.link.pointer", { onclick: () => onplace(pointer) }, plain(pointer, 300)),
      ),
      h("p", `expected ${plain(expected, 500)}, received `, h("code", plain(received, 500))),
      h(
        "p.dim",
        [sentence, advice].filter(Boolean).join(" "),
        " ",
        requirement !== undefined &&
          h(
            "a",
            { href: requirement, target: "_blank", rel: "noopener noreferrer" },
            "Specification",
          ),
      ),
    );
  });
  return h("ul.findings", { "aria-label": count(findings.length, "finding") }, ...items);
}

function tabs({ state, redraw }: DetailOptions): HTMLElement {
  const choose = (index: number): void => {
    state.tab = (index + TABS.length) % TABS.length;
    redraw();
    document.getElementById(`tab-${state.tab}`)?.focus();
  };
  const keys = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    choose(state.tab + step);
  };
  const buttons = TABS.map((name, index) =>
    h(
      "button",
      {
        role: "tab",
        id: `tab-${index}`,
        "aria-selected": String(index === state.tab),
        "aria-controls": "panel",
        tabindex: index === state.tab ? 0 : -1,
        onclick: () => choose(index),
      },
      name,
    ),
  );
  return h(
    "div",
    { role: "tablist", "aria-label": "Views of the message", onkeydown: keys },
    ...buttons,
  );
}

function asSent(row: Row): HTMLElement[] {
  const { line, message, place, findings, kind } = row;
  if (kind === "text") return [h("pre", plain(line.text ?? "", 5000))];
  if (message === undefined) {
    const code = line.code === undefined ? "" : `, exit code ${line.code}`;
    return [h("p", `${titleOf(row)}${code}`), ...aroundIt(row)];
  }
  const whole = exactly(line.source ?? "");
  const sent = member(whole, "message");
  const value =
    place === "" ? sent : (sent as readonly unknown[] | undefined)?.[Number(place.slice(1))];
  const notes = new Map<string, HTMLElement[]>();
  for (const finding of findings) {
    const own = finding.pointer.slice(place.length);
    const pointer = existing(message, own);
    notes.set(pointer, [...(notes.get(pointer) ?? []), note(finding, own.slice(pointer.length))]);
  }
  return [copyButton(message), tree(value ?? message, { notes })];
}

function note({ severity, expected, received }: Finding, rest: string): HTMLElement {
  const place = rest === "" ? "" : `${plain(rest, 100)}: `;
  return h(
    "div",
    { class: `note ${severity}` },
    `${place}expected ${plain(expected, 200)}, received ${plain(received, 200)}`,
  );
}

function copyButton(message: unknown): HTMLElement {
  const button = h(
    "button.copy",
    {
      onclick: () => {
        try {
          const text = JSON.stringify(message, undefined, 2);
          void navigator.clipboard?.writeText(text).then(() => (button.textContent = "Copied"));
        } catch {
          button.textContent = "Nested too deeply";
        }
      },
    },
    "Copy JSON",
  );
  return button;
}

function atOther(row: Row, { state, tape, redraw }: DetailOptions): HTMLElement[] {
  const others = revisions.filter(({ id }) => id !== row.revision?.id);
  const target = others.find(({ id }) => id === state.target?.id) ?? others[0]!;
  const choose = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    state.target = revisions.find(({ id }) => id === value);
    redraw();
    document.getElementById("target")?.focus();
  };
  const choices = others.map(({ id }) =>
    h("option", { value: id, selected: id === target.id }, id),
  );
  const { messages, losses, note: remark } = atRevision(row, target, tape.peersOf(row));
  const select = h("select", { id: "target", onchange: choose }, ...choices);
  const trees = messages.map((message) => {
    const { marks, removed } = messages.length === 1 ? changesOf(row.message, message) : NO_CHANGES;
    const isEqual = marks.size === 0 && removed.length === 0 && messages.length === 1;
    return h(
      "div",
      isEqual && h("p.dim", "The same as sent."),
      tree(message, { marks }),
      removed.length > 0 &&
        h(
          "p.removed",
          "Not sent: ",
          ...removed.flatMap((pointer, index) => [
            index === 0 ? "" : ", ",
            h("code", plain(pointer, 200)),
          ]),
        ),
    );
  });
  return [
    h("p", h("label", { for: "target" }, "The message at "), select),
    ...(remark === undefined ? [] : [h("p.remark", plain(remark, 500))]),
    ...(losses.length === 0 ? [] : [lossList(losses)]),
    ...trees,
  ];
}

const NO_CHANGES = { marks: new Map<string, string>(), removed: [] as readonly string[] };

function lossList(losses: readonly Loss[]): HTMLElement {
  const items = losses.map(({ path, reason, value, replacement }) =>
    h(
      "li.warning",
      h("p", h("strong", "lost"), ` ${plain(path, 300)} ${reason}`),
      h(
        "p.dim",
        h("code", previewOf(value)),
        replacement !== undefined && " becomes ",
        replacement !== undefined && h("code", previewOf(replacement)),
      ),
    ),
  );
  return h(
    "ul.findings",
    { "aria-label": count(losses.length, "loss").replace("losss", "losses") },
    ...items,
  );
}

function aroundIt({ line }: Row): HTMLElement[] {
  const around = line.http;
  if (around === undefined) {
    return [
      h(
        "p.dim",
        "No HTTP was recorded with this line: the transport is a standard stream, or the line has none.",
      ),
    ];
  }
  const { method, status, headers = {}, stream, event, exchange } = around;
  const facts = [
    method !== undefined && `Request ${method}`,
    status !== undefined && `Status ${status}`,
    stream === true && "in an event stream",
    event?.type !== undefined && `event ${event.type}`,
    event?.id !== undefined && `event id ${event.id}`,
    exchange !== undefined && `exchange ${exchange}`,
  ].filter((fact) => typeof fact === "string");
  const rows = Object.entries(headers).map(([name, value]) =>
    h("tr", h("th", { scope: "row" }, plain(name, 100)), h("td", plain(String(value), 2000))),
  );
  return [
    h("p", plain(facts.join(" · "), 500)),
    rows.length > 0
      ? h("table", h("caption", "Header fields"), h("tbody", ...rows))
      : h("p.dim", "No header fields."),
  ];
}
