import { connect, connectInMemory, McpServer } from "@mcp-codegen/universal";
import { revision as newest } from "@mcp-codegen/universal/2026-07-28";
import { expect, onTestFinished, test } from "vitest";
import type { ConnectOptions } from "@mcp-codegen/universal";

const server = new McpServer({ name: "any", version: "1.0.0" });

async function negotiated(revisions: ConnectOptions["revisions"]): Promise<string | undefined> {
  const client = await connect(await connectInMemory(server), { revisions });
  onTestFinished(() => client.close());
  return client.revision;
}

test("a client negotiates only the revisions that it names, by their ids or as values", async () => {
  expect(await negotiated(["2025-06-18"])).toBe("2025-06-18");
  expect(await negotiated([newest])).toBe("2026-07-28");
  expect(await negotiated(["2025-03-26", newest])).toBe("2026-07-28");
});

test("an unknown id is refused with the ids that are known", async () => {
  await expect(negotiated(["2025-11-24"])).rejects.toThrow(
    'revisions: "2025-11-24" is unknown; the known ones are 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05',
  );
});

test("an empty list of revisions is refused", async () => {
  await expect(negotiated([])).rejects.toThrow("At least one revision is needed");
});
