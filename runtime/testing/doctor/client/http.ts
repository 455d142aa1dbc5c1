import { lastWords } from "../server/life.js";
import type { Endpoint } from "./http-endpoint.js";
import { expect, settled, start, until, type Work } from "./run.js";
import type { Script } from "./script-server.js";

/** Forgets a session, and examines whether the client opens another. */
export async function lostSession(work: Work, only: Endpoint & Script): Promise<void> {
  const endpoint: Endpoint = { ...only, forgetAfter: 2 };
  const run = await start(work, only, endpoint);
  const openings = (): number =>
    run.servers.filter(({ requests: all }) => all.some(({ method }) => method === "initialize"))
      .length;
  await until(() => run.ending !== undefined || run.server.isOpen, work.timeout);
  await settled(work);
  if (endpoint.isLost === true) {
    expect(work, run, "client-session-lost", openings() > 1, {
      received: run.ending ? lastWords(run.ending) : "nothing",
    });
  }
  await run.client.close();
}

/** Time after which a client resumes a stream, in milliseconds, and how much earlier it may be. */
const RETRY = 400;
const TOLERANCE = 50;

/** Breaks a stream off, and examines how the client resumes it. */
export async function brokenStream(work: Work, only: Endpoint & Script): Promise<void> {
  const endpoint: Endpoint = { ...only, breakFor: RETRY };
  const run = await start(work, only, endpoint);
  await until(() => run.ending !== undefined || endpoint.broken !== undefined, work.timeout);
  if (endpoint.broken !== undefined) {
    const isResumed = (): boolean => endpoint.resumedAfter !== undefined;
    await until(() => run.ending !== undefined || isResumed(), Math.min(work.timeout, 3_000));
    const received = run.ending ? lastWords(run.ending) : "nothing";
    if (expect(work, run, "client-resume", isResumed(), { received })) {
      const after = Math.round(endpoint.resumedAfter!);
      expect(work, run, "client-retry", after >= RETRY - TOLERANCE, {
        expected: `GET after ${RETRY} ms, as retry says`,
        received: `GET after ${after} ms`,
      });
    }
  }
  await run.client.close();
}

/** Value of Retry-After, in seconds. */
const BUSY = 1;

/** Refuses a list with 503 and Retry-After, and examines when the client repeats the request. */
export async function busy(work: Work): Promise<void> {
  const endpoint: Endpoint = { busyFor: BUSY };
  const run = await start(work, {}, endpoint);
  await until(() => run.ending !== undefined || endpoint.busyAt !== undefined, work.timeout);
  const isOver = (): boolean => run.ending !== undefined || endpoint.repeatedAfter !== undefined;
  if (endpoint.busyAt !== undefined) {
    await until(isOver, BUSY * 1000);
    const after = Math.round(endpoint.repeatedAfter ?? BUSY * 1000);
    expect(work, run, "client-retry-after", after >= BUSY * 1000 - TOLERANCE, {
      received: `the request again after ${after} ms`,
    });
  }
  await run.client.close();
}

/** Names an endpoint on another origin, and examines whether the client sends a message to it. */
export async function elsewhere(work: Work): Promise<void> {
  const endpoint: Endpoint = { sse: "elsewhere" };
  const run = await start(work, { onlySessions: true }, endpoint);
  const isSent = (): boolean => endpoint.isElsewhere === true;
  await until(() => run.ending !== undefined || isSent(), Math.min(work.timeout, 1_500));
  expect(work, run, "client-endpoint", !isSent(), { received: "a message to the other origin" });
  await run.client.close();
}

/** Maximum number of requests that a client sends until it recognizes that it has no token. */
const MOST_ATTEMPTS = 5;

/** Refuses requests without a token, and examines whether the client stops. */
export async function unauthorized(work: Work): Promise<void> {
  const endpoint: Endpoint = { unauthorized: true };
  const run = await start(work, {}, endpoint);
  await until(() => run.ending !== undefined || (endpoint.count ?? 0) > MOST_ATTEMPTS, 1_500);
  expect(work, run, "client-unauthorized", (endpoint.count ?? 0) <= MOST_ATTEMPTS, {
    received: `${endpoint.count} requests`,
  });
  await run.client.close();
}
