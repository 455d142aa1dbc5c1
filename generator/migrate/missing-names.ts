import type { Reference } from "./references.js";
import type { Remark } from "./remark.js";
import { hintFor } from "./remedies.js";
import type { Surface } from "./surface.js";
import type { TextEdit } from "./text-edit.js";

export interface MissingNames {
  /**
   * True if the new module does not export any of the names that the program uses, in which case the specifier is not
   * changed.
   */
  readonly isWhole: boolean;
  /** The edits that move these names into a separate statement, which still imports from the SDK's module. */
  readonly edits: readonly TextEdit[];
  readonly remarks: readonly Remark[];
}

export function missingNames(
  reference: Reference,
  target: string,
  surface: Surface | undefined,
  text: string,
): MissingNames {
  const { names, specifier, list } = reference;
  const known = surface?.names(target);
  const missing = names.filter(
    ({ name }) => known !== undefined && !known.has(name) && name !== "default",
  );
  if (missing.length === 0) return { isWhole: false, edits: [], remarks: [] };
  const isWhole = missing.length === names.length;
  const isSplit = !isWhole && list !== undefined;
  const edits = isSplit ? splitting(reference, new Set(missing.map(({ name }) => name)), text) : [];
  const added = edits.at(-1);
  const remarks = missing.map(({ name, start }): Remark => {
    const stays = `its import from ${specifier} stays`;
    return {
      code: "MCG8003",
      message: `${target} has no ${name}${isWhole || isSplit ? `; ${stays}` : ""}.`,
      hint: hintFor(name) ?? `Import it from ${specifier}, or do without it.`,
      start,
      end: start + name.length,
      ...(added ? { in: { edit: added, at: placeOf(name, added.text) } } : {}),
    };
  });
  return { isWhole, edits, remarks };
}

/** Returns edits that move names into a new statement; the last edit adds that statement. */
function splitting(
  { specifier, list, start }: Reference,
  missing: ReadonlySet<string>,
  text: string,
): TextEdit[] {
  const { elements, keyword, end } = list!;
  const last = elements.findLastIndex(({ name }) => !missing.has(name));
  const edits = elements
    .slice(0, last)
    .flatMap(({ name, start: from }, index): TextEdit[] =>
      missing.has(name) ? [{ start: from, end: elements[index + 1]!.start, text: "" }] : [],
    );
  const [kept, final] = [elements[last]!, elements.at(-1)!];
  if (kept !== final) edits.push({ start: kept.end, end: final.end, text: "" });
  const taken = elements.filter(({ name }) => missing.has(name));
  const names = taken.map((one) => text.slice(one.start, one.end)).join(", ");
  const quote = text[start - 1]!;
  const semicolon = text[end - 1] === ";" ? ";" : "";
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const statement = `${newline}${keyword} { ${names} } from ${quote}${specifier}${quote}${semicolon}`;
  return [...edits, { start: end, end, text: statement }];
}

function placeOf(name: string, statement: string): number {
  return statement.search(new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`));
}
