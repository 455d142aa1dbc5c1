import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type Asking, envelope, META } from "./raw-http.js";

export const tool = (name: string): object => ({ name, arguments: {} });

/** The metadata that makes a tool write to the log before it returns its result. */
export const logging: Asking = { meta: envelope({ [META.logLevel]: "debug" }) };
export const progressing: Asking = { meta: envelope({ progressToken: "p" }) };

export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 400 && !holds(); turn++) await sleep(5);
  expect(holds()).toBe(true);
}
