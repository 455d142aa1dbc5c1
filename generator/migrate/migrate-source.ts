import { ts } from "ts-morph";
import type { Diagnostic } from "../diagnostics.js";
import { spanBetween } from "../position.js";
import { missingNames } from "./missing-names.js";
import { missingMembers } from "./missing-members.js";
import { missingSchemaMembers } from "./missing-schema-members.js";
import type { Remark } from "./remark.js";
import { type Reference, references } from "./references.js";
import { hintFor } from "./remedies.js";
import { migratedSpecifier, PACKAGE, packageOf } from "./specifier.js";
import { type ProjectText, unlessTooDeep } from "./project-text.js";
import type { Surface } from "./surface.js";
import { edited, type TextEdit } from "./text-edit.js";

export interface MigratedSource {
  readonly after: string;
  readonly changed: number;
  /** The SDK packages that the source still names. */
  readonly stillUsed: ReadonlySet<string>;
  /** Remarks on what remains to be done by hand, with their positions in the text on disk. */
  readonly left: readonly Diagnostic[];
}

/** Returns true if a source may name the SDK, which is a cheap test before parsing. */
export const mentionsSdk = (text: string): boolean => text.includes("@modelcontextprotocol/");

/**
 * Changes the imports in one source, and reports what remains to be done by hand.
 *
 * @param isWritten - true if the new text is written to disk, in which case the remarks' positions refer to it
 */
export function migrateSource(
  file: string,
  { text, isUtf8 }: ProjectText,
  surface: Surface | undefined,
  isWritten: boolean,
): MigratedSource {
  if (!isUtf8) return leftAlone(file, text, NOT_UTF_8);
  const result = unlessTooDeep(() => migrateText(file, text, surface, isWritten));
  return result ?? leftAlone(file, text, TOO_DEEP);
}

/** Returns the result for a source that is left unchanged: the packages that it names are kept as dependencies. */
function leftAlone(file: string, text: string, reason: Refusal): MigratedSource {
  const names = text.match(/@modelcontextprotocol\/[\w-]+/g) ?? [];
  const left: Diagnostic[] = [{ ...reason, severity: "warning", file }];
  return { after: text, changed: 0, stillUsed: new Set(names), left };
}

function migrateText(
  file: string,
  text: string,
  surface: Surface | undefined,
  isWritten: boolean,
): MigratedSource {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const edits: TextEdit[] = [];
  const left: Remark[] = [];
  const stillUsed = new Set<string>();
  let changed = 0;
  const all = references(source);
  for (const reference of all) {
    const { specifier, start, end } = reference;
    const target = migratedSpecifier(specifier)!;
    const refusal = refusalOf(reference, target, surface);
    if (refusal !== undefined) {
      stillUsed.add(packageOf(specifier));
      left.push({ ...refusal, start, end });
      continue;
    }
    const missing = missingNames(reference, target, surface, text);
    left.push(...missing.remarks);
    if (missing.isWhole || missing.edits.length > 0) stillUsed.add(packageOf(specifier));
    if (missing.isWhole) continue;
    edits.push({ start, end, text: target }, ...missing.edits);
    changed += 1;
  }
  if (all.length > 0) left.push(...missingMembers(source), ...missingSchemaMembers(source, all));
  const after = edited(text, edits);
  const moved = (offset: number) =>
    (isWritten ? edits : []).reduce(
      (sum, edit) => (edit.end <= offset ? sum + edit.text.length - (edit.end - edit.start) : sum),
      offset,
    );
  return {
    after,
    changed,
    stillUsed,
    left: left.map(({ start, end, in: inside, ...remark }) => {
      const place =
        inside && isWritten
          ? moved(inside.edit.end) - inside.edit.text.length + inside.at
          : moved(start);
      const span = spanBetween(isWritten ? after : text, place, place + end - start);
      return { ...remark, severity: "warning", file, span };
    }),
  };
}

type Refusal = Omit<Remark, "start" | "end">;

export const NOT_UTF_8: Refusal = {
  code: "MCG8007",
  message: "This file is not UTF-8; it is left as it is.",
  hint: "Convert it to UTF-8 and run the command again, or change it by hand.",
};

export const TOO_DEEP: Refusal = {
  code: "MCG8008",
  message: "This file is nested too deeply to be read; it is left as it is.",
  hint: "Change its imports by hand.",
};

function refusalOf(
  { specifier, isLoose }: Reference,
  target: string,
  surface: Surface | undefined,
): Refusal | undefined {
  if (surface && !surface.has(target))
    return {
      code: "MCG8001",
      message: `${specifier} has no counterpart in ${PACKAGE}; it is left as it is.`,
      hint:
        hintFor(specifier) ?? "Keep the official SDK for this, or write it without this module.",
    };
  if (!isLoose) return undefined;
  return {
    code: "MCG8002",
    message: `This text names the module ${specifier}; it is left as it is.`,
    hint: `Write ${target} if it is the name of a module.`,
  };
}
