import { member } from "../../tape/json-value.js";
import { roleOf } from "../../checks/roles.js";
import type { Endpoint } from "./http-endpoint.js";
import { endsOr, expect, linesOf, type Run, type Work, withRun } from "./run.js";
import type { Script } from "./script-server.js";

/** The time for which requests remain unanswered, in milliseconds. */
const SILENCE = 3_000;

/** The minimum time between two requests that a client did not send together, in milliseconds. */
const APART = 400;

/**
 * Leaves the opening of a session unanswered and, in another run, the first list of tools. A client that gives up
 * waiting must cancel the list request, but not the opening.
 */
export async function silences(work: Work, only: Endpoint & Script): Promise<void> {
  const within = Math.min(work.timeout, SILENCE);
  await Promise.all(
    (["initialize", "tools/list"] as const).map((ignores) =>
      withRun(work, { ...only, ignores }, { ...only }, async (run) => {
        await endsOr(run, () => run.server.requests.length > 0, work.timeout);
        await endsOr(run, () => false, within);
        // A message check reports a cancelled opening.
        if (ignores === "tools/list") judgeSilence(work, run, ignores);
      }),
    ),
  );
}

function judgeSilence(work: Work, run: Run, method: string): void {
  const lines = linesOf(work, run);
  const [asked] = lines.filter(({ message }) => member(message, "method") === method);
  if (asked === undefined) return;
  const later = lines.filter(({ t }) => t - asked.t > APART);
  const id = member(asked.message, "id");
  const isCancelled = lines.some(
    ({ message }) =>
      roleOf(member(message, "method")) === "cancelled" &&
      member(member(message, "params"), "requestId") === id,
  );
  const next = later
    .map(({ message }) => message)
    .find(
      (message) =>
        member(message, "id") !== undefined &&
        member(message, "method") !== undefined &&
        roleOf(member(message, "method")) !== "ping",
    );
  expect(work, run, "client-timeout", next === undefined || isCancelled, {
    line: asked,
    expected: `notifications/cancelled of ${method} before the next request`,
    received: member(next, "method"),
  });
}
