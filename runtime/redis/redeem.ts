import type { Engine } from "./engine.js";

/** Milliseconds for which an id is known longer than needed, as clocks differ. */
const MARGIN = 60_000;

/** Test-and-set for what may be used once. The time that is left counts, so that the clock of Redis does not matter. */
export function redeemer(engine: Engine): (id: string, expires: number) => Promise<boolean> {
  return async (id, expires) => {
    const left = Math.max(0, Math.ceil(expires - Date.now())) + MARGIN;
    const reply = await engine.command("SET", engine.key(id, "r"), "1", "NX", "PX", left);
    return reply !== null;
  };
}
