import { join } from "node:path";
import { HttpClientTransport } from "@mcp-codegen/runtime/http/client";
import { afterAll, beforeAll, describe } from "vitest";
import { describeBehaviour } from "../behaviour/suite.js";
import { RawHttpClient } from "../behaviour/wires/http-client.js";
import type { Connecting } from "../behaviour/wires/wire.js";
import { bundleFor } from "./bundle.js";
import { PackedProject } from "./packed.js";
import { type Platform, platforms, type Started } from "./platforms.js";

const project = new PackedProject();
beforeAll(() => project.create(), 120_000);
afterAll(() => project.remove());

let count = 0;

/** Connects to the behavioural cases' server on another runtime; the client is on Node. */
function wireTo({ name }: Platform, hasSessions: boolean, place: () => Started): Connecting {
  return {
    name: `${name}, ${hasSessions ? "with sessions" : "without sessions"}`,
    traits: {
      sessions: hasSessions,
      asks: hasSessions,
      early: false,
      tells: true,
      shared: true,
    },
    async serve({ revision }, kind, trustsClients) {
      const { url } = place();
      const number = (count += 1);
      const sessions = hasSessions ? "sessions" : "none";
      const at = `${url}/${number}/${revision.id}/${kind}/${trustsClients ? "trusts" : "doubts"}/${sessions}/mcp`;
      const violations: string[] = [];
      const errors: string[] = [];
      return {
        violations,
        errors,
        transport: (isDeaf = false) =>
          new HttpClientTransport(at, {
            sse: "never",
            listen: !isDeaf,
            reconnect: { initialDelay: 20, retries: 1 },
          }),
        raw: async () => new RawHttpClient(at),
        close: async () => {
          const response = await fetch(`${url}/report/${number}`);
          const report = (await response.json()) as Record<"violations" | "errors", string[]>;
          violations.push(...report.violations);
          errors.push(...report.errors);
        },
      };
    },
  };
}

describe.each(platforms)("$name", (platform) => {
  let started: Started;
  beforeAll(async () => {
    const file = join(project.folder, `${platform.name}.mjs`);
    const program = `test/runtimes/programs/${platform.program}.ts`;
    await bundleFor(platform.target, program, file, project.folder);
    started = await platform.start(file);
  }, 60_000);
  afterAll(() => started.stop());

  describe.each(platform.sessions)("sessions: %s", (hasSessions) => {
    describeBehaviour(wireTo(platform, hasSessions, () => started));
  });
});
