import { definitionParts } from "../index.js";
import { isObject } from "../json.js";
import { type ContractList, FAMILIES } from "../families.js";
import type { Definition, ServerFacts } from "../lock/lock-file.js";

import { type EntryChange, token } from "./change.js";
import { Containment, type Misfit } from "./containment.js";
import { invisibleTexts, differences, shortened, textChanges } from "./text-changes.js";
import { SchemaDocument } from "./schema-document.js";
import { safetyChanges } from "./safety-changes.js";

export function entryChanges(
  list: ContractList,
  before: Definition,
  after: Definition,
): readonly EntryChange[] {
  const [old, next] = [definitionParts(before), definitionParts(after)];
  return [
    ...interfaceChanges(list, old.interface, next.interface),
    ...safetyChanges(old.safety, next.safety),
    ...textChanges(old.prose, next.prose),
    ...hiddenTextChanges(before, after),
  ];
}

function hiddenTextChanges(before: Definition, after: Definition): readonly EntryChange[] {
  const known = new Set(invisibleTexts(before));
  const changed = differences(before, after).map(({ pointer }) => pointer);
  return invisibleTexts(after)
    .filter((pointer) => !known.has(pointer) || changed.some((one) => pointer.startsWith(one)))
    .map((pointer) => ({
      class: "dangerous",
      pointer,
      message: "has invisible characters",
    }));
}

function interfaceChanges(
  list: ContractList,
  before: Definition,
  after: Definition,
): readonly EntryChange[] {
  return [
    ...schemaChanges("inputSchema", before, after),
    ...schemaChanges("outputSchema", before, after),
    ...argumentChanges(before["arguments"], after["arguments"]),
    ...plainChanges(list, before, after),
  ];
}

function plainChanges(
  list: ContractList,
  before: Definition,
  after: Definition,
): readonly EntryChange[] {
  return ["name", "mimeType"].flatMap((name): readonly EntryChange[] => {
    const [one, other] = [before[name], after[name]];
    if (one === other) return [];
    const isLabel = name === "name" && FAMILIES[list].by === "uri";
    const isNew = one === undefined;
    const message = shortened({ before: one, after: other });
    return [
      { class: isNew ? "additive" : isLabel ? "prose" : "breaking", pointer: token(name), message },
    ];
  });
}

/**
 * Compares schemas. Arguments that fit the old contract must also fit the new one, and results that fit the new
 * contract must also fit the old one.
 */
function schemaChanges(
  member: "inputSchema" | "outputSchema",
  before: Definition,
  after: Definition,
): readonly EntryChange[] {
  const places = differences(before[member], after[member], token(member));
  if (places.length === 0) return [];
  const [old, next] = [before, after].map((all) => new SchemaDocument(all[member] ?? true));
  const areResults = member === "outputSchema";
  const [sender, receiver] = areResults ? [next, old] : [old, next];
  const misfits = new Containment(sender!, receiver!, areResults).misfits();
  const breaking = misfits.map((misfit) => breakingChange(member, misfit));
  const isCovered = (pointer: string): boolean =>
    breaking.some(
      (one) =>
        pointer.startsWith(one.pointer) ||
        one.pointer.startsWith(pointer) ||
        parentOf(pointer) === parentOf(one.pointer),
    );
  const others = places.filter(({ pointer }) => !isCovered(pointer));
  return [
    ...unique(breaking),
    ...others.map((place): EntryChange => ({
      class: "additive",
      pointer: place.pointer,
      message: shortened(place),
    })),
  ];
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf("/"));
}

function breakingChange(member: string, { pointer, message, undecided }: Misfit): EntryChange {
  const text = member === "outputSchema" ? resultText(message) : message;
  return {
    class: "breaking",
    pointer: token(member) + pointer,
    message: text,
    ...(undecided && { undecided }),
  };
}

/** Rewords a message so that it suits results, whose receiver is the old client. */
function resultText(message: string): string {
  if (message.startsWith("undecided")) return message;
  const subject = /^(?:is|has) /.test(message) ? "it " : "";
  const before = message.replace(" no longer ", " not ").replace(/ (?:now|any more)$/, "");
  return `results may differ: in the old contract, ${subject}${before}`;
}

function unique(changes: readonly EntryChange[]): readonly EntryChange[] {
  const seen = new Set<string>();
  return changes.filter(({ pointer, message }) => {
    const key = `${pointer}\n${message}`;
    return !seen.has(key) && seen.add(key);
  });
}

function argumentChanges(before: unknown, after: unknown): readonly EntryChange[] {
  const [old, next] = [argumentsOf(before), argumentsOf(after)];
  const names = new Set([...old.keys(), ...next.keys()]);
  return [...names].flatMap((name): readonly EntryChange[] => {
    const [one, other] = [old.get(name), next.get(name)];
    const pointer = `/arguments${token(other?.index ?? one!.index)}`;
    const shown = JSON.stringify(name);
    if (other === undefined) {
      return [{ class: "breaking", pointer, message: `the argument ${shown} is gone` }];
    }
    if (other.isRequired && !one?.isRequired) {
      return [{ class: "breaking", pointer, message: `the argument ${shown} is required now` }];
    }
    if (one === undefined) {
      return [{ class: "additive", pointer, message: `new argument ${shown}` }];
    }
    if (!one.isRequired || other.isRequired) return [];
    return [{ class: "additive", pointer, message: `the argument ${shown} is optional now` }];
  });
}

function argumentsOf(list: unknown): Map<string, { index: number; isRequired: boolean }> {
  const entries = Array.isArray(list) ? list.filter(isObject) : [];
  return new Map(
    entries.map(({ name, required }, index) => [
      String(name),
      { index, isRequired: required === true },
    ]),
  );
}

export function serverChanges(before: ServerFacts, after: ServerFacts): readonly EntryChange[] {
  return [
    ...revisionChange(before.revision, after.revision),
    ...capabilityChanges(before.capabilities ?? {}, after.capabilities ?? {}),
    ...differences(before.instructions, after.instructions, "/instructions").flatMap((place) => [
      { class: "prose" as const, pointer: place.pointer, message: shortened(place) },
      ...invisibleTexts(place.after, place.pointer).map((pointer): EntryChange => {
        return { class: "dangerous", pointer, message: "has invisible characters" };
      }),
    ]),
    ...differences(before.scope ?? {}, after.scope ?? {}, "/scope").map((place): EntryChange => {
      return { class: "prose", pointer: place.pointer, message: shortened(place) };
    }),
    ...differences(before.server ?? {}, after.server ?? {}, "/server").map((place): EntryChange => {
      const isVersion = place.pointer === "/server/version";
      return {
        class: isVersion ? "additive" : "prose",
        pointer: place.pointer,
        message: shortened(place),
      };
    }),
  ];
}

function revisionChange(before: string | undefined, after: string | undefined): EntryChange[] {
  if (before === after || before === undefined || after === undefined) return [];
  const message = shortened({ before, after });
  return [{ class: after < before ? "breaking" : "additive", pointer: "/revision", message }];
}

function capabilityChanges(before: Definition, after: Definition): readonly EntryChange[] {
  return differences(before, after, "/capabilities").map((place): EntryChange => {
    const isMore = place.before === undefined || place.before === false || isNewer(place);
    return {
      class: isMore ? "additive" : "breaking",
      pointer: place.pointer,
      message: shortened(place),
    };
  });
}

function isNewer({
  before,
  after,
}: {
  readonly before: unknown;
  readonly after: unknown;
}): boolean {
  return isObject(before) && isObject(after) && Object.keys(before).length === 0;
}
