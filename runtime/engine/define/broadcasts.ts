import type { BusEvent } from "../../api/index.js";
import { type Method, type Revision, type Side, isObject } from "../../wire/index.js";
import { isForEngine } from "./binding.js";

/** True for a notification that a side may send to all sessions, under any of its revisions. */
export function isBroadcast(
  event: unknown,
  side: Side,
  revisions: readonly Revision[],
): event is BusEvent {
  if (!isObject(event)) return false;
  const { method, params } = event;
  if (params !== undefined && !isObject(params)) return false;
  return revisions.some(({ methods }) => isTold(methods.get(method as string), side));
}

/** Broadcasts of a side that need no parameters: they only announce that something has changed. */
export function announcements(side: Side, revisions: readonly Revision[]): readonly BusEvent[] {
  const rows = revisions.flatMap(({ methods }) => [...methods.values()]);
  const told = rows.filter((row) => row.paramsOptional && isTold(row, side));
  return [...new Set(told.map(({ method }) => method))].map((method) => ({ method }));
}

function isTold(row: Method | undefined, side: Side): boolean {
  if (row?.kind !== "notification" || isForEngine(row)) return false;
  return row.from === side || row.from === "both";
}
