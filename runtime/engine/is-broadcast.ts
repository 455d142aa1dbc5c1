import { isForEngine } from "./binding.js";
import type { BusEvent } from "../api/index.js";
import { type Revision, type Side, isObject } from "../wire/index.js";

/** True for a notification that a side may send to all sessions, under any of its revisions. */
export function isBroadcast(
  event: unknown,
  side: Side,
  revisions: readonly Revision[],
): event is BusEvent {
  if (!isObject(event)) return false;
  const { method, params } = event;
  if (params !== undefined && !isObject(params)) return false;
  return revisions.some(({ methods }) => {
    const row = methods.get(method as string);
    if (row?.kind !== "notification" || isForEngine(row)) return false;
    return row.from === side || row.from === "both";
  });
}
