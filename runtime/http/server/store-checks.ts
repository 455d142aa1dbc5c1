import type { HealthChecks } from "./handler-health.js";
import type { SharedStores } from "./sharing/stores.js";

/** Name that no session, stream or instance has. */
const PROBE = "health";

/** Checks that shared stores answer: each reads something that is not there. */
export function storeChecks({ sessions, streams, mail }: SharedStores): HealthChecks {
  return {
    sessions: () => sessions.use(PROBE),
    streams: () => streams.read(PROBE, PROBE, 0),
    mail: () => mail.isAlive(PROBE),
  };
}
