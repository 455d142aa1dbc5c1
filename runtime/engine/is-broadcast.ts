import { isForEngine } from "./binding.js";
import type { BusEvent } from "../api/index.js";
import { type Revision, type Side, isObject } from "../wire/index.js";

/** Whether what a bus has delivered is a notification that a side may send to all, under any of its revisions. */
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
