import { STANDARD_TASK_SUPPORT } from "../definition-parts.js";
import { isObject } from "../json.js";
import type { Definition } from "../lock/lock-file.js";

import { type ChangeClass, type EntryChange, token } from "./change.js";
import { type Difference, differences, shortened } from "./text-changes.js";

/** The hints that tools can have, with their defaults (MCP: tools, annotations) and their safe values. */
const HINTS: Readonly<Record<string, { readonly standard: boolean; readonly safe: boolean }>> = {
  readOnlyHint: { standard: false, safe: true },
  destructiveHint: { standard: true, safe: false },
  idempotentHint: { standard: false, safe: true },
  openWorldHint: { standard: true, safe: false },
};

/** Matches the `_meta` members that make a host show a page from the server. */
const PAGES = /^(?:ui(?:\/|$)|openai\/outputTemplate)/;

export function safetyChanges(before: Definition, after: Definition): readonly EntryChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].toSorted().flatMap((name) => {
    const [one, other] = [before[name], after[name]];
    if (name === "annotations") return hintChanges(one, other);
    if (name === "execution") return taskChanges(one, other);
    return differences(one, other, token(name)).map((place): EntryChange => {
      const [, member = ""] = place.pointer.split("/").slice(1);
      const isPage = name === "_meta" && PAGES.test(member.replaceAll("~1", "/"));
      const all = name === "_meta" && place.pointer === "/_meta" && hasPage(other);
      const isGone = place.after === undefined;
      const worst: ChangeClass = (isPage || all) && !isGone ? "dangerous" : "prose";
      return { class: worst, pointer: place.pointer, message: shortened(place) };
    });
  });
}

function hasPage(meta: unknown): boolean {
  return isObject(meta) && Object.keys(meta).some((name) => PAGES.test(name));
}

function hintChanges(before: unknown, after: unknown): readonly EntryChange[] {
  const [one, other] = [before, after].map((hints) => (isObject(hints) ? hints : {}));
  return differences(one, other, "/annotations").map((place): EntryChange => {
    const name = place.pointer.slice("/annotations/".length);
    return { class: hintClass(name, place), pointer: place.pointer, message: shortened(place) };
  });
}

function hintClass(name: string, { before, after }: Difference): ChangeClass {
  const hint = Object.hasOwn(HINTS, name) ? HINTS[name] : undefined;
  if (hint === undefined) return "prose";
  const [was, is] = [before ?? hint.standard, after ?? hint.standard];
  return was !== is && is !== hint.safe ? "dangerous" : "additive";
}

/**
 * Compares a tool's task support. Any change other than to `optional` is breaking, because the server may reject a
 * client that has not changed.
 */
function taskChanges(before: unknown, after: unknown): readonly EntryChange[] {
  return differences(before, after, "/execution").map((place): EntryChange => {
    const [was, is] = [supportOf(before), supportOf(after)];
    const isSupport = was !== is && /^\/execution(?:\/taskSupport)?$/.test(place.pointer);
    const worst = !isSupport ? "prose" : is === "optional" ? "additive" : "breaking";
    return { class: worst, pointer: place.pointer, message: shortened(place) };
  });
}

function supportOf(execution: unknown): unknown {
  return (isObject(execution) ? execution["taskSupport"] : undefined) ?? STANDARD_TASK_SUPPORT;
}
