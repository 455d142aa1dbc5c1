import { CHANGE_CLASSES } from "../../diff/changes.js";
import { diffSections } from "../../diff/diff-sections.js";
import { groupedChanges, sideText } from "../../diff/impact/grouped-changes.js";
import type { ProtocolChange } from "../../diff/impact/protocol-change.js";
import type { Step } from "../collect/reference.js";
import { meaningOf } from "../collect/value-texts.js";
import { code, listed, type Page } from "../page.js";
import { type Card, cardsPage, count } from "./cards-page.js";
import { checklist } from "./checklist.js";
import { CHANGES, idOf, type Site } from "./site.js";

const MARKS = { "+": "added", "-": "removed", "~": "changed" } as const;

export function changesPage(step: Step, site: Site): Page {
  const { from, to, page, diff, changes } = step;
  const title = `From ${from.id} to ${to.id}`;
  const sections = diffSections(diff);
  const classes = CHANGE_CLASSES.map((name) => ({
    name,
    count: String(changes.filter((change) => change.class === name).length),
  })).filter((one) => one.count !== "0");
  return {
    path: page.replace(/\.html$/, ""),
    title,
    summary: to.facts.title ?? `${count(changes.length, "change")}.`,
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
      server: checklist(step, "server", site),
      client: checklist(step, "client", site),
      changes: groupedChanges(changes).map((group) => ({
        class: group.class,
        sides: sideText(group),
        names: listed(group.names.map((name) => site.place(name))),
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
          subjects: listed(subjects.map((name) => site.place(name))),
          hasDetail: detail !== "",
          detail: code(detail),
          meaning: subjects
            .map((name) => meaningOf(name, to)?.text ?? "")
            .join(" ")
            .trim(),
        })),
      })),
      isSame: sections.length === 0,
    },
  };
}

function isBreaking(change: ProtocolChange): boolean {
  return change.class === "breaking";
}

function arrows(message: string): string {
  return message.replaceAll(" -> ", " → ");
}

export function changesIndex(site: Site): Page {
  const steps = site.reference.steps.toSorted((one, other) => rank(other, site) - rank(one, site));
  return cardsPage({
    page: CHANGES,
    title: "Changes",
    summary: "What changed between two revisions, and what servers and clients have to do.",
    groups: [
      {
        title: "From one revision to the next",
        cards: steps
          .filter((step) => site.areNeighbours(step))
          .map((step) => {
            const { text: more, ...own } = card(step);
            return { ...own, text: step.to.facts.title ?? "", more };
          }),
      },
      {
        title: "Over several revisions",
        cards: steps.filter((step) => !site.areNeighbours(step)).map(card),
      },
    ],
  });
}

function card({ from, to, page, changes }: Step): Card {
  const text = `${count(changes.length, "change")}, ${changes.filter(isBreaking).length} of them breaking`;
  return { page, title: `${from.id} → ${to.id}`, text };
}

function rank({ from, to }: Step, { reference: { revisions } }: Site): number {
  return revisions.indexOf(to) * revisions.length + revisions.indexOf(from);
}
