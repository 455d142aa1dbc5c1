import type { TapeHead, TapeLine } from "../../tape/index.js";
import { EVERYTHING, FILTER_NAMES, type Filter, readFilter } from "../model/filter.js";
import { orderOf } from "../model/order.js";
import { readRows } from "../model/read-rows.js";
import { beginsGroup, groupOf, type Row } from "../model/row.js";
import { detail, type DetailState } from "./detail.js";
import { count, h, plain } from "./dom.js";
import { list } from "./list.js";
import { timeline } from "./timeline.js";

export interface App {
  add(lines: Iterable<TapeLine>): void;
  /** Ends the tape. `problem` is the reason why the rest cannot be read. */
  end(problem?: string): void;
}

const HELP = [
  ["↑ ↓", "previous, next message"],
  ["← →", "fold, unfold a group"],
  ["n, N", "next, previous finding"],
  ["/", "filter"],
  ["1 2 3", "as sent, at revision, HTTP"],
  ["f", "fold or unfold all groups"],
  ["+ − 0", "zoom the time in, out, show all"],
  ["?", "this help"],
] as const;

/** The controller that removes the event listeners of the previously shown tape. */
let listening: AbortController | undefined;

export function openApp(head: TapeHead, name: string, isLive: boolean): App {
  const tape = readRows();
  const folded = new Set<Row>();
  const state: DetailState = { tab: 0, target: undefined };
  let shown: readonly Row[] = [];
  let selected: Row | undefined;
  let filter: Filter = EVERYTHING;
  let problem: string | undefined;
  let isOpen = isLive;

  const rows = list({ select: (row) => choose(row), fold: (row) => toggle(row) });
  const strip = timeline({
    select: (row) => choose(row),
    span: (from, to) => {
      const words = input.value.replace(/\s*\bat[<>]=?\S+/g, "").trim();
      input.value = `${words} at>=${Math.floor(from)} at<=${Math.ceil(to)}`.trim();
      apply();
    },
  });
  const side = h("section.detail", { "aria-label": "Message" });
  const status = h("p.status", { role: "status" });
  const badges = h("p.badges");
  const input = h("input", {
    type: "search",
    id: "filter",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "Filter: method:tools/call error from:server time>500",
    "aria-label": "Filter",
    "aria-describedby": "filter-problem",
    oninput: () => apply(),
  }) as HTMLInputElement;
  const wrong = h("p", { id: "filter-problem", class: "wrong", role: "status" });
  const help = helpDialog();

  const drawDetail = (): void => {
    if (selected === undefined) side.replaceChildren(h("p.empty", "No message is selected."));
    else side.replaceChildren(detail(selected, { state, tape, go: choose, redraw: drawDetail }));
  };
  const drawSelected = (): void => {
    rows.update(shown, selected, folded, filter.matches);
    strip.mark(selected);
  };
  const drawList = (): void => {
    shown = orderOf(tape.rows, filter, folded);
    strip.update(tape.rows, filter.matches);
    drawSelected();
    const errors = tape.findings.filter(({ severity }) => severity === "error").length;
    const warnings = tape.findings.length - errors;
    const ids = new Set(tape.rows.flatMap(({ revision }) => revision?.id ?? []));
    const next = h(
      "button",
      {
        class: `badge ${errors > 0 ? "error" : "warning"}`,
        title: "Next finding (n)",
        onclick: () => find(1),
      },
      [errors > 0 ? count(errors, "error") : "", warnings > 0 ? count(warnings, "warning") : ""]
        .filter(Boolean)
        .join(", "),
    );
    badges.replaceChildren(
      ...[...ids].map((id) => h("span.badge", id)),
      h("span.badge", head.transport),
      tape.findings.length > 0 ? next : h("span.badge.good", "no findings"),
    );
    const number = filter.isEmpty
      ? count(tape.rows.length, "message")
      : `${shown.filter(filter.matches).length.toLocaleString("en")} of ${count(tape.rows.length, "message")}`;
    status.textContent = [number, isOpen ? "recording" : "", problem ?? tape.problem ?? ""]
      .filter(Boolean)
      .join(" · ");
    status.classList.toggle("wrong", (problem ?? tape.problem) !== undefined);
  };
  const choose = (row: Row): void => {
    const group = groupOf(row);
    selected = row;
    if (group && folded.delete(group)) drawList();
    if (!shown.includes(row)) {
      input.value = "";
      apply();
    }
    drawSelected();
    rows.reveal();
    drawDetail();
  };
  const toggle = (row: Row): void => {
    if (!folded.delete(row)) folded.add(row);
    if (selected && groupOf(selected) === row) selected = row;
    drawList();
    drawDetail();
  };
  const apply = (): void => {
    const read = readFilter(input.value);
    wrong.textContent = "problem" in read ? plain(read.problem, 300) : "";
    input.setAttribute("aria-invalid", String("problem" in read));
    if ("problem" in read) return;
    filter = read;
    drawList();
  };
  const move = (by: number): void => {
    const at = selected === undefined ? -1 : shown.indexOf(selected);
    const row = shown[Math.min(shown.length - 1, Math.max(0, at + by))];
    if (row) choose(row);
  };
  const find = (step: 1 | -1): void => {
    const { rows: all } = tape;
    const from = selected?.index ?? (step > 0 ? -1 : all.length);
    for (let by = 1; by <= all.length; by++) {
      const row = all[(from + step * by + all.length * 2) % all.length]!;
      if (row.findings.length > 0) return choose(row);
    }
  };
  const fold = (): void => {
    const groups = tape.rows.filter(beginsGroup);
    const isFolded = groups.every((row) => folded.has(row));
    folded.clear();
    if (!isFolded) for (const row of groups) folded.add(row);
    const group = selected && groupOf(selected);
    if (group && !isFolded) selected = group;
    drawList();
    rows.reveal();
    drawDetail();
  };
  const sideways = (isRight: boolean): void => {
    if (selected === undefined) return;
    if (beginsGroup(selected) && folded.has(selected) === isRight) toggle(selected);
    else if (!isRight) choose(groupOf(selected) ?? selected);
    else if (beginsGroup(selected)) choose(selected.children[0]!);
  };

  const inList: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(rows.page),
    PageUp: () => move(-rows.page),
    Home: () => move(-shown.length),
    End: () => move(shown.length),
    ArrowRight: () => sideways(true),
    ArrowLeft: () => sideways(false),
  };
  const anywhere: Readonly<Record<string, () => void>> = {
    "/": () => input.focus(),
    n: () => find(1),
    N: () => find(-1),
    f: fold,
    "+": () => strip.zoom(0.5),
    "-": () => strip.zoom(2),
    "0": () => strip.zoom(Infinity),
    "?": () => help.showModal(),
    "1": () => openTab(0),
    "2": () => openTab(1),
    "3": () => openTab(2),
  };
  const openTab = (tab: number): void => {
    state.tab = tab;
    drawDetail();
  };
  listening?.abort();
  listening = new AbortController();
  const keys = (event: KeyboardEvent): void => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || help.open) return;
    if (target === input) {
      if (key === "Escape" || key === "Enter" || key === "ArrowDown") rows.element.focus();
      else return;
    } else if (target instanceof HTMLSelectElement) return;
    const isList = target === rows.element || target === document.body;
    const act =
      (isList ? inList[key] : undefined) ?? (target === input ? undefined : anywhere[key]);
    if (act === undefined && target !== input) return;
    event.preventDefault();
    act?.();
  };
  document.addEventListener("keydown", keys, { signal: listening.signal });

  const title = plain(head.url ?? head.command?.map(String).join(" ") ?? "", 300);
  document.title = `${plain(name, 100)} – tape`;
  document.body.replaceChildren(
    h(
      "header.top",
      h("h1", plain(name, 100)),
      h("p.command", { title }, title),
      badges,
      h("button.plain", { onclick: () => help.showModal() }, "Keys ", h("kbd", "?")),
    ),
    strip.element,
    h("div.bar", { role: "search" }, input, status, wrong),
    h(
      "main",
      h(
        "section.list",
        { "aria-label": "Conversation" },
        h(
          "div.columns",
          { "aria-hidden": "true" },
          h("span.at", "at"),
          h("span.lane", h("span", "client"), h("span", "server")),
          h("span.label", "message"),
          h("span.id", "id"),
          h("span.took", "took"),
          h("span.verdict"),
        ),
        rows.element,
      ),
      side,
    ),
    help,
  );
  drawDetail();

  return {
    add(lines) {
      const follows = isLive && rows.isAtEnd;
      for (const line of lines) tape.add(line);
      selected ??= tape.rows[0];
      drawList();
      if (follows) rows.scrollToEnd();
      if (selected && side.querySelector(".about") === null) drawDetail();
    },
    end(reason) {
      isOpen = false;
      problem = reason;
      tape.end();
      drawList();
      drawDetail();
      rows.element.focus({ preventScroll: true });
    },
  };
}

function helpDialog(): HTMLDialogElement {
  const dialog = h(
    "dialog",
    { "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Keys"),
    h("dl", ...HELP.flatMap(([keys, meaning]) => [h("dt", h("kbd", keys)), h("dd", meaning)])),
    h("h2", "Filter"),
    h(
      "p",
      "All terms have to match; a minus before a term excludes what it matches: ",
      h("code", 'method:tools/call -error from:server time>500 name:"deploy"'),
      ".",
    ),
    h(
      "p",
      "Fields and words: ",
      FILTER_NAMES.join(", "),
      ". Anything else is looked for in the messages.",
    ),
    h("form", { method: "dialog" }, h("button.plain", "Close")),
  );
  return dialog as HTMLDialogElement;
}
