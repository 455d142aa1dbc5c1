import type { ClientOptions, Reading, StepSource } from "../api/index.js";
import { acceptsResult, resultIssues, type SideDefinition, summarize } from "../engine/index.js";
import { oncePerKey } from "../ground/index.js";
import {
  InvalidMessageError,
  type Issue,
  type Method,
  type Revision,
  isObject,
  pointerNames,
  quote,
  valueAt,
} from "../wire/index.js";
import { commonRules } from "./message-rules.js";
import { resultDefaults, withDefaults } from "./result-defaults.js";

/** The maximum number of times that one result is repaired. Each time, up to 100 places are repaired. */
const MAX_ROUNDS = 10;

/** The maximum number of kinds of repair to report. */
const MOST_REPORTED = 1000;

const ITEM = /^\/([^/]+)\/\d+(?:\/|$)/;
const FIRST = /^(\/[^/]+\/)0(?=\/|$)/;

export function clientRules(definition: SideDefinition): StepSource[] {
  const { options, revisions, report } = definition;
  const { newerRevisions = revisions, onInvalidItem } = options as ClientOptions;
  return [...commonRules(definition), lenienceRules({ newerRevisions, onInvalidItem }, report)];
}

export function statelessClientRules(definition: SideDefinition): StepSource[] {
  return [resultDefaults, ...clientRules(definition)];
}

/**
 * Creates steps by which a client reads results that are slightly invalid, as some servers send them. Each kind of
 * repair is reported once. A server has no such steps: it rejects invalid requests.
 *
 * - A missing array at the top level is read as empty, except in paginated results and in those of the engine's own
 * requests.
 * - An empty array in place of an object is read as an empty object, because PHP serializes empty objects like that.
 * - A result may have the form of a newer revision, if that revision is known.
 * - Invalid items of a list are dropped by default.
 */
function lenienceRules(
  { newerRevisions: newer = [], onInvalidItem = "drop" }: ClientOptions<object, unknown>,
  report: (error: Error) => void,
): StepSource {
  if (onInvalidItem !== "drop" && onInvalidItem !== "refuse") {
    throw new TypeError(`Option onInvalidItem must be "drop" or "refuse"`);
  }
  const lenience = {
    newer,
    drops: onInvalidItem === "drop",
    report,
    isNew: oncePerKey(MOST_REPORTED),
  };
  return ({ revision, direction, row }) => {
    const isOwn = revision.methods.get(row.method) === row;
    if (direction === "in" || row.kind !== "request" || !isOwn) return undefined;
    return { rescue: (result, params) => readLeniently(lenience, revision, row, params, result) };
  };
}

interface Lenience {
  readonly newer: readonly Revision[];
  readonly drops: boolean;
  readonly report: (error: Error) => void;
  readonly isNew: (reading: string) => boolean;
}

function readLeniently(
  lenience: Lenience,
  revision: Revision,
  row: Method,
  params: unknown,
  result: unknown,
): Reading | undefined {
  if (!isObject(result)) return undefined;
  // Only complete results are repaired, not those that contain questions or start a task.
  if ((result["resultType"] ?? "complete") !== "complete") return undefined;
  const whole = mended(lenience, row, params, result);
  if (acceptsResult(row, params, whole)) return { result: whole, revision };
  const newer = newerReading(lenience, revision, row, params, whole);
  if (newer) return newer;
  const rest = lenience.drops ? withoutInvalidItems(lenience, row, params, whole) : undefined;
  return rest && { result: rest, revision };
}

function mended(
  lenience: Lenience,
  row: Method,
  params: unknown,
  given: Record<string, unknown>,
): Record<string, unknown> {
  let result = given;
  const copies = new Set<unknown>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    let isChanged = false;
    for (const issue of resultIssues(row, params, result)) {
      const place = pointerNames(issue.path);
      const reading = readingOf(row, issue, valueAt(result, place));
      if (reading === undefined) continue;
      result = replaced(result, place, reading, copies) as typeof result;
      isChanged = true;
      const where = issue.path.replaceAll(/\/\d+(?=\/|$)/g, "/…");
      const what = Array.isArray(reading) ? "lacks a list" : "has [] instead of an object";
      reportOnce(
        lenience,
        row,
        where,
        () => `The result of ${row.method} ${what}: ${where} is read as empty`,
      );
    }
    if (!isChanged) break;
  }
  return result;
}

function newerReading(
  lenience: Lenience,
  revision: Revision,
  { method }: Method,
  params: unknown,
  result: Record<string, unknown>,
): Reading | undefined {
  const own = lenience.newer.indexOf(revision);
  for (const newer of own < 0 ? lenience.newer : lenience.newer.slice(0, own)) {
    const row = newer.methods.get(method);
    if (row?.result === undefined) continue;
    const whole = newer.traits.resultType ? withDefaults(row, result) : result;
    if (!acceptsResult(row, params, whole)) continue;
    reportOnce(
      lenience,
      row,
      newer.id,
      () =>
        `The result of ${method} is not valid in ${revision.id}: it is read as a result of ${newer.id}`,
    );
    return { result: whole as Record<string, unknown>, revision: newer };
  }
  return undefined;
}

function withoutInvalidItems(
  lenience: Lenience,
  row: Method,
  params: unknown,
  result: Record<string, unknown>,
): Record<string, unknown> | undefined {
  if (!row.paginated) return undefined;
  const [issue] = resultIssues(row, params, result);
  const member = issue && ITEM.exec(issue.path)?.[1];
  const list = member === undefined ? undefined : result[member];
  if (!Array.isArray(list)) return undefined;
  const withItems = (items: unknown[]): Record<string, unknown> => ({
    ...result,
    [member!]: items,
  });
  if (!acceptsResult(row, params, withItems([]))) return undefined;
  const items = list.filter((item, index) => {
    const single = withItems([item]);
    if (acceptsResult(row, params, single)) return true;
    const name = labelOf(item) ?? String(index);
    reportOnce(lenience, row, name, () => {
      const why = summarize(
        resultIssues(row, params, single).map((one) => ({
          ...one,
          path: one.path.replace(FIRST, `$1${index}`),
        })),
      );
      return `${row.method}: the item ${quote(name)} is dropped (option onInvalidItem): ${why}`;
    });
    return false;
  });
  return withItems(items);
}

/**
 * Reports each kind of repair once. The text is a function, because a hostile list can have millions of invalid
 * items.
 */
function reportOnce(
  lenience: Lenience,
  { method }: Method,
  what: string,
  text: () => string,
): void {
  if (lenience.isNew(`${method} ${what}`)) lenience.report(new InvalidMessageError(text()));
}

function readingOf(row: Method, { path, expected }: Issue, value: unknown): object | undefined {
  const isOwn = path.lastIndexOf("/") === 0;
  if (expected === "array" && value === undefined && isOwn && !row.paginated && !row.role)
    return [];
  return expected === "object" && Array.isArray(value) && value.length === 0 ? {} : undefined;
}

/** Returns the first string among an item's members, to name the item in reports. */
function labelOf(item: unknown): string | undefined {
  return isObject(item)
    ? Object.values(item).find((member) => typeof member === "string")
    : undefined;
}

/**
 * Returns a copy of a value in which the part at a path is replaced.
 *
 * @param copies - the copies made so far, which are changed rather than copied again
 */
function replaced(
  value: unknown,
  [first, ...rest]: readonly string[],
  by: object,
  copies: Set<unknown>,
): unknown {
  if (first === undefined) return by;
  let copy = value as object;
  if (!copies.has(value)) {
    copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
    copies.add(copy);
  }
  const member = replaced((value as Record<string, unknown>)[first], rest, by, copies);
  Object.defineProperty(copy, first, {
    value: member,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  return copy;
}
