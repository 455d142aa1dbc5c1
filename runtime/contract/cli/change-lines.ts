import { type ContractChange, entryText } from "../diff/change.js";
import { type Text, classLines } from "mcp-codegen/cli";

/** One line per change: class, entry, place, description. */
export function changeLines(changes: readonly ContractChange[]): readonly Text[] {
  return classLines(changes, (change) => {
    const { list, pointer, message } = change;
    const entry = list === "server" ? [] : [entryText(change)];
    const place = [...entry, ...(pointer === "" ? [] : [pointer])].join(" ");
    return `${place}: ${message}`;
  });
}
