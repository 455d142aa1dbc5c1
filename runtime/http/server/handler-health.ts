import { LONGEST_DELAY } from "../../ground/index.js";

/**
 * Phase of a handler: `open`; `leaving`, which serves as before while balancers are told to send nothing new;
 * `draining`, which finishes the requests under way and refuses others with 503; `closed`.
 */
export type HandlerState = "open" | "leaving" | "draining" | "closed";

/** Readiness of a handler, for balancers. */
export interface HandlerHealth {
  readonly state: HandlerState;
  /** True when requests should come here: it is open, and every store that it cannot do without answers. */
  readonly isReady: boolean;
  /** Stores that did not answer in time, by name, each with the reason. */
  readonly away: Readonly<Record<string, Error>>;
}

/** Calls that throw or reject when something is not there, by its name. */
export type HealthChecks = Readonly<Record<string, () => unknown>>;

const PHASES: readonly HandlerState[] = ["open", "leaving", "draining", "closed"];

/** The phase of several handlers together: that of the one which is nearest to its end. */
export function latestState(states: readonly HandlerState[]): HandlerState {
  return PHASES[Math.max(0, ...states.map((state) => PHASES.indexOf(state)))]!;
}

/** Health of several handlers together. */
export function healthOf(parts: readonly HandlerHealth[]): HandlerHealth {
  return {
    state: latestState(parts.map(({ state }) => state)),
    isReady: parts.every(({ isReady }) => isReady),
    away: Object.assign({}, ...parts.map(({ away }) => away)),
  };
}

/**
 * Calls all checks at once.
 *
 * @param milliseconds - time for all of them; one that takes longer counts as failed
 * @returns the reasons of those that failed, by their names; never rejects
 */
export async function failedChecks(
  checks: HealthChecks,
  milliseconds: number,
): Promise<Readonly<Record<string, Error>>> {
  const names = Object.keys(checks);
  if (names.length === 0) return {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Error>((resolve) => {
    const error = new Error(`gave no answer in ${milliseconds} ms`);
    timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_DELAY), error);
  });
  const reasons = await Promise.all(
    names.map((name) => Promise.race([whyFailed(checks[name]!), late])),
  );
  clearTimeout(timer);
  const failed = names.flatMap((name, index) => {
    const reason = reasons[index];
    return reason ? [[name, reason] as const] : [];
  });
  return Object.fromEntries(failed);
}

async function whyFailed(check: () => unknown): Promise<Error | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
