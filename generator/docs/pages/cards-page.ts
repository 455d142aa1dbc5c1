import { address, type Page } from "../page.js";
import { idOf } from "./site.js";

/** Link to a page, with what a reader finds there. */
export interface Card {
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** Second line. */
  readonly more?: string;
}

interface Cards {
  readonly page: string;
  readonly title: string;
  readonly summary: string;
  /** Cards by their heading, which is not shown if there is only one. */
  readonly groups: readonly { readonly title: string; readonly cards: readonly Card[] }[];
}

/** Page that lists other pages. */
export function cardsPage({ page, title, summary, groups }: Cards): Page {
  const shown = groups
    .filter(({ cards }) => cards.length > 0)
    .map((group) => ({ ...group, id: idOf("group", group.title.toLowerCase()) }));
  const hasHeadings = shown.length > 1;
  return {
    path: page.replace(/\.html$/, ""),
    title,
    summary,
    area: page,
    template: "cards",
    outline: hasHeadings ? shown.map((group) => ({ id: group.id, text: group.title })) : [],
    entries: [{ name: title, kind: "page", to: page, text: summary }],
    view: {
      title,
      summary,
      groups: shown.map((group) => ({
        hasHeading: hasHeadings,
        id: group.id,
        title: group.title,
        cards: group.cards.map((card) => ({
          address: address(card.page),
          title: card.title,
          text: card.text,
          more: card.more ?? "",
        })),
      })),
    },
  };
}

/** Number with its noun: `1 requirement`, `2 requirements`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
