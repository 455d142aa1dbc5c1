import type { ChangeClass, ContractChange } from "../../contract/diff/change.js";
import { KINDS } from "../../contract/lock/lock-file.js";
import { paint, type Style, type Text } from "../text.js";
import { count } from "../units.js";

const STYLES: Readonly<Record<ChangeClass, Style>> = {
  breaking: "red",
  dangerous: "yellow",
  prose: "cyan",
  additive: "green",
};

/** Lines that are shown to people; JSON has them all. */
const MOST = 200;

/** One line for each change: class, entry, place, what. */
export function changeLines(changes: readonly ContractChange[]): readonly Text[] {
  const lines = changes.slice(0, MOST).map((change): Text => {
    const { list, name, pointer, message } = change;
    const entry = list === "server" ? "server" : `${KINDS[list]} ${name}`;
    const place = list === "server" ? pointer : `${entry}${pointer === "" ? "" : ` ${pointer}`}`;
    return ["  ", paint(STYLES[change.class], change.class.padEnd(9)), ` ${place}: ${message}`];
  });
  const rest = changes.length - lines.length;
  return rest > 0
    ? [...lines, paint("dim", `  … ${count(rest, "more change")}; --json has all of them`)]
    : lines;
}
