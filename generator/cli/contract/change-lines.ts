import { type ContractChange, entryText } from "../../contract/diff/change.js";
import { classLines } from "../change-classes.js";
import type { Text } from "../text.js";

/** One line for each change: class, entry, place, what. */
export function changeLines(changes: readonly ContractChange[]): readonly Text[] {
  return classLines(changes, (change) => {
    const { list, pointer, message } = change;
    const entry = list === "server" ? [] : [entryText(change)];
    const place = [...entry, ...(pointer === "" ? [] : [pointer])].join(" ");
    return `${place}: ${message}`;
  });
}
