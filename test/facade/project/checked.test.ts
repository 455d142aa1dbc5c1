import { afterEach, describe, expect, it, vi } from "vitest";
import type { Projection } from "../../../runtime/wire/revision/revision.js";
import type { Method } from "../../../runtime/wire/revision/revision.js";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function of(environment: string): Promise<{ row: Method; projection: Projection }> {
  vi.stubEnv("NODE_ENV", environment);
  vi.resetModules();
  const { revision } = await import("../../../generated/universal/revisions/2025-06-18.js");
  return { row: revision.methods.get("notifications/message")!, projection: revision.projection! };
}

const good = { level: "info", data: 1 };
const bad = { level: "chatty", data: 1 };

describe("messages under an older revision", () => {
  it("are checked after translation in development", async () => {
    const { row, projection } = await of("test");
    expect(projection.down(row, "params")!(good)).toEqual(good);
    expect(() => projection.down(row, "params")!(bad)).toThrow(
      /^notifications\/message was not sent: it is not as 2025-06-18 has it: \/level: expected .*"chatty"/,
    );
  });

  it("are not checked in production", async () => {
    const { row, projection } = await of("production");
    expect(projection.down(row, "params")!(bad)).toEqual(bad);
  });
});
