import { revision as handshake } from "@mcp-codegen/2025-11-25";
import { revision } from "@mcp-codegen/2026-07-28";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { deferred } from "../../engine/support/tiny-endpoints.js";
import { bundle } from "../../behaviour/support/bundle.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-official-"));
const program = join(folder, "server.mjs");
const TOOLS = "notifications/tools/list_changed";

type Mode = "legacy" | "auto" | { pin: string };

let client: Client;
let transport: StdioClientTransport;

beforeAll(() => bundle("test/stateless/server/support/stdio-program.ts", program), 60_000);
afterEach(() => client.close());
afterAll(() => rmSync(folder, { recursive: true }));

async function connect(mode: Mode, ...served: string[]): Promise<void> {
  const args = [program, ...served];
  transport = new StdioClientTransport({ command: process.execPath, args, stderr: "pipe" });
  client = new Client({ name: "official", version: "2" }, { versionNegotiation: { mode } });
  await client.connect(transport);
}

async function whoAmI(): Promise<string> {
  const { content } = await client.callTool({ name: "who", arguments: {} });
  return (content as { text: string }[])[0]!.text;
}

describe("the official client", () => {
  it.each<[Mode, string[], string]>([
    ["auto", [revision.id], revision.id],
    ["auto", [revision.id, handshake.id], revision.id],
    ["auto", [handshake.id], handshake.id],
    [{ pin: revision.id }, [revision.id, handshake.id], revision.id],
    ["legacy", [revision.id, handshake.id], handshake.id],
  ])(
    "works with mode %j and a server of %j, at %s (ERA-01, ERA-02, DISC-04)",
    async (mode, served, spoken) => {
      await connect(mode, ...served);
      expect(await whoAmI()).toMatch(new RegExp(`^${spoken} .*official`));
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("grow");
    },
  );

  it("fails without a common revision (VER-08)", async () => {
    await expect(connect("legacy", revision.id)).rejects.toThrow(/2026-07-28/);
  });

  it("subscribes, and receives change notifications and the end (LIST-02, LIST-07, LIST-10)", async () => {
    await connect({ pin: revision.id }, revision.id);
    let received = 0;
    const hears = deferred<void>();
    client.setNotificationHandler(TOOLS, () => {
      received += 1;
      hears.resolve();
    });
    const requested = { toolsListChanged: true, promptsListChanged: true };
    const first = await client.listen(requested);
    expect(first.honoredFilter).toEqual({ toolsListChanged: true });
    const second = await client.listen({ toolsListChanged: true });
    await first.close();
    expect(await first.closed).toBe("local");
    await client.callTool({ name: "grow", arguments: {} });
    await hears.promise;
    expect(received).toBe(1);
    process.kill(transport.pid!, "SIGTERM");
    // The response precedes the cancellation, so that the end is in order.
    expect(await second.closed).toBe("graceful");
  });

  it("receives progress (PROG-04)", async () => {
    await connect("auto", revision.id);
    const notifications: unknown[] = [];
    const onprogress = (one: unknown): void => void notifications.push(one);
    await client.callTool({ name: "talk", arguments: {} }, { onprogress });
    expect(notifications).toEqual([{ progress: 1, total: 2 }]);
  });
});
