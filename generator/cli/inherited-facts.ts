import type { InheritedFacts } from "../link/facts.js";
import { paint, type Text } from "./text.js";

export function inheritedLines({ from, rows, dropped }: InheritedFacts): readonly Text[] {
  const lists = [...new Set(rows.map(({ list }) => list))];
  const sizes = lists.map((name) => rows.filter(({ list }) => list === name).length);
  const counts = lists.map((name, index) => `${name} ${sizes[index]}`).join(", ");
  return [
    `  facts inherited from ${from}: ${counts || "none"}`,
    ...dropped.map(({ list, about, reason }): Text => [
      `  not inherited: ${list} ${about}: `,
      paint("dim", reason),
    ]),
  ];
}

export function inheritedToJson({ from, rows, dropped }: InheritedFacts): object {
  return { from, rows, dropped };
}
