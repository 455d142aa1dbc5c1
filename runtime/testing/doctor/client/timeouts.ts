import { member } from "../../tape/json-value.js";
import { isStateless } from "../../checks/check.js";
import { roleOf } from "../../checks/roles.js";
import { endsOr, expect, linesOf, type Run, type Work, withRun } from "./run.js";
import type { Endpoint } from "./http-endpoint.js";
import type { Script } from "./script-server.js";

/** The time for which a request remains unanswered, in milliseconds. */
export const SILENCE = 3_000;

/** The minimum time between two requests that a client did not send together, in milliseconds. */
const APART = 400;

/** The state of a client at the end of a silence. */
export type Silent = "waiting" | "moved on" | "never asked";

/** A request that a server leaves unanswered for a while: the opening of a session, or the list of tools. */
export interface Silence {
  readonly script: Pick<Script, "held">;
  /**
   * Waits for the request and then for a while, and answers it. A client that has given up waiting must cancel the list
   * request, but not the opening. Returns the client's state at the end.
   */
  keep(work: Work, run: Run): Promise<Silent>;
}

export function createSilence(method: "initialize" | "tools/list"): Silence {
  let end: (() => void) | undefined;
  const isOver = new Promise<void>((resolve) => (end = resolve));
  return {
    script: { held: (one) => (one === method ? isOver : undefined) },
    async keep(work, run) {
      await endsOr(run, () => run.server.requests.length > 0, work.timeout);
      await endsOr(run, () => false, Math.min(work.timeout, SILENCE));
      const state = stateOf(work, run, method);
      end?.();
      return state;
    },
  };
}

function stateOf(work: Work, run: Run, method: string): Silent {
  const lines = linesOf(work, run);
  const [asked] = lines.filter(({ message }) => member(message, "method") === method);
  if (asked === undefined) return "never asked";
  const later = lines.filter(
    ({ t, message }) => t - asked.t > APART && member(message, "method") !== undefined,
  );
  const id = member(asked.message, "id");
  // Over HTTP, a client cancels a stateless request by closing its stream.
  const isStream = run.endpoint.count !== undefined && isStateless(run.server.revision);
  const isCancelled = isStream
    ? run.endpoint.isAborted === true
    : lines.some(
        ({ message }) =>
          roleOf(member(message, "method")) === "cancelled" &&
          member(member(message, "params"), "requestId") === id,
      );
  const next = later
    .map(({ message }) => message)
    .find(
      (message) =>
        member(message, "id") !== undefined && roleOf(member(message, "method")) !== "ping",
    );
  // A message check reports a cancelled opening.
  if (roleOf(method) !== "initialize") {
    expect(work, run, "client-timeout", next === undefined || isCancelled, {
      line: asked,
      expected: isStream
        ? `the end of the stream of ${method} before the next request`
        : `notifications/cancelled of ${method} before the next request`,
      received: member(next, "method"),
    });
  }
  const isWaiting = run.ending === undefined && later.length === 0 && !isCancelled;
  return isWaiting ? "waiting" : "moved on";
}

/** Keeps the given silence with a client for which nothing else is examined. */
export async function silent(
  work: Work,
  only: Endpoint & Script,
  method: "initialize" | "tools/list",
): Promise<void> {
  const silence = createSilence(method);
  await withRun(work, { ...only, ...silence.script }, { ...only }, (run) =>
    silence.keep(work, run),
  );
}
