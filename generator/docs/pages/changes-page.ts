import { CHANGE_CLASSES } from "../../diff/changes.js";
import { diffSections } from "../../diff/diff-sections.js";
import { groupedChanges, sideText } from "../../diff/impact/grouped-changes.js";
import type { ProtocolChange, Side } from "../../diff/impact/protocol-change.js";
import type { Step } from "../collect/reference.js";
import { address, code, type Inline, line, link, listed, type Page, type View } from "../page.js";
import { CHANGES, idOf, type Site } from "./site.js";

const MARKS = { "+": "added", "-": "removed", "~": "changed" } as const;

/** Page with all changes from a revision to a later one. */
export function changesPage(step: Step, site: Site): Page {
  const { from, to, page, diff, changes } = step;
  const title = `From ${from.id} to ${to.id}`;
  const sections = diffSections(diff);
  const breaking = changes.filter(isBreaking);
  const classes = CHANGE_CLASSES.map((name) => ({
    name,
    count: String(changes.filter((change) => change.class === name).length),
  })).filter(({ count }) => count !== "0");
  return {
    path: page.replace(/\.html$/, ""),
    title,
    summary: to.facts.title ?? `${changes.length} changes.`,
    area: CHANGES,
    template: "changes",
    outline: [
      { id: "server", text: "If you write a server" },
      { id: "client", text: "If you write a client" },
      { id: "classes", text: "Changes by class" },
      ...sections.map((section) => ({ id: idOf("section", section.title), text: section.title })),
    ],
    entries: [
      {
        name: `${from.id} → ${to.id}`,
        kind: "changes",
        to: page,
        text: site.areNeighbours(step)
          ? `What changed, how to migrate and upgrade from ${from.id} to ${to.id}. ${to.facts.title ?? ""}`
          : "Over several revisions.",
      },
    ],
    view: {
      title,
      hasNovelty: to.facts.title !== undefined,
      novelty: to.facts.title ?? "",
      classes,
      server: checklist(breaking, "server", site),
      client: checklist(breaking, "client", site),
      changes: groupedChanges(changes).map((group) => ({
        class: group.class,
        sides: sideText(group),
        names: listed(group.names.map((name) => placeName(name, site))),
        pointer: group.pointer,
        hasPointer: group.pointer !== "",
        message: `${group.undecided ? "undecided: " : ""}${arrows(group.message)}`,
      })),
      hasChanges: changes.length > 0,
      sections: sections.map((section) => ({
        id: idOf("section", section.title),
        title: section.title,
        entries: section.entries.map(({ mark, subjects, detail }) => ({
          tone: MARKS[mark],
          mark: mark === "-" ? "−" : mark,
          word: MARKS[mark],
          subjects: listed(subjects.map((name) => placeName(name, site))),
          hasDetail: detail !== "",
          detail: code(detail),
        })),
      })),
      isSame: sections.length === 0,
    },
  };
}

function isBreaking(change: ProtocolChange): boolean {
  return change.class === "breaking";
}

/** Breaking changes that a side has to adapt to. */
function checklist(breaking: readonly ProtocolChange[], side: Side, site: Site): View {
  const own = groupedChanges(breaking.filter(({ sides }) => sides.includes(side)));
  return {
    isEmpty: own.length === 0,
    items: own.map(({ names, pointer, message }) => ({
      text: line(
        ...listed(names.map((name) => placeName(name, site))).parts,
        ...(pointer === "" ? [] : [" ", code(pointer)]),
        `: ${arrows(message)}`,
      ),
    })),
  };
}

/** A message of the command line, with the arrows of a page. */
function arrows(message: string): string {
  return message.replaceAll(" -> ", " → ");
}

/** `tools/call params`, `Tool` or `Tool.title`, with the first name linked. */
function placeName(place: string, site: Site): Inline {
  if (site.type(place) ?? site.method(place)) return site.named(place);
  const row = site.tableRow(place);
  if (row !== undefined) return link(row, code(place));
  const [name = ""] = place.split(/[ .]/);
  const page = (site.type(name) ?? site.method(name))?.page;
  if (page === undefined) return code(place);
  return code({ text: name, to: page }, place.slice(name.length));
}

/** List of all comparisons. */
export function changesIndex(site: Site): Page {
  const { steps } = site.reference;
  const neighbours = steps.filter((step) => site.areNeighbours(step));
  const others = steps.filter((step) => !site.areNeighbours(step));
  return {
    path: CHANGES.replace(/\.html$/, ""),
    title: "Changes",
    summary: "What changed from revision to revision.",
    area: CHANGES,
    template: "cards",
    outline: [],
    entries: [
      {
        name: "Changes",
        kind: "page",
        to: CHANGES,
        text: "What changed from revision to revision.",
      },
    ],
    view: {
      title: "Changes",
      cards: [...neighbours.toReversed(), ...others.toReversed()].map(
        ({ from, to, page, changes }) => ({
          address: address(page),
          title: `${from.id} → ${to.id}`,
          text: to.facts.title ?? "",
          more: `${changes.length} changes, ${changes.filter(isBreaking).length} of them breaking`,
        }),
      ),
    },
  };
}
