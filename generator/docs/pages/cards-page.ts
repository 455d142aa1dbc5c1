import { address, type Page } from "../page.js";
import { idOf } from "./site.js";

export interface Card {
  readonly page: string;
  readonly title: string;
  readonly text: string;
  readonly more?: string;
}

interface Cards {
  readonly page: string;
  readonly title: string;
  readonly summary: string;
  /** The cards, grouped by heading. If there is only one group, its heading is not shown. */
  readonly groups: readonly { readonly title: string; readonly cards: readonly Card[] }[];
}

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

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
