import { describe, expect, it } from "vitest";
import { Server as S20241105 } from "@mcp-codegen/2024-11-05";
import { Server as S20250326 } from "@mcp-codegen/2025-03-26";
import { Server as S20250618 } from "@mcp-codegen/2025-06-18";
import { Server as S20251125 } from "@mcp-codegen/2025-11-25";
import { Server as S20260728 } from "@mcp-codegen/2026-07-28";
import { RpcError, revisions } from "@mcp-codegen/universal";
import { McpServer, REVISIONS } from "./support/server.js";
import { Talk } from "./support/talk.js";

/** Codes at the edges of all reserved ranges. */
const CODES = [-32768, -32700, -32604, -32100, -32099, -32055, -32042, -32023, -32020];
CODES.push(-32019, -32005, -32002, -32000, -32769, -31999, 7);

const PINNED = {
  "2024-11-05": S20241105,
  "2025-03-26": S20250326,
  "2025-06-18": S20250618,
  "2025-11-25": S20251125,
  "2026-07-28": S20260728,
} as unknown as Record<string, typeof S20251125>;

interface Reported {
  readonly server: Parameters<typeof Talk.with>[0];
  readonly reports: readonly Error[];
}

const fail = ({ name }: { name: string }): never => {
  throw new RpcError(Number(name), "thrown", { kept: true });
};

function pinned(id: string): Reported {
  const reports: Error[] = [];
  const options = { capabilities: { tools: {} }, onerror: (error: Error) => reports.push(error) };
  const handlers = { "tools/call": fail } as never;
  return { server: new PINNED[id]!({ name: "s", version: "1" }, handlers, options), reports };
}

function universal(): Reported {
  const server = new McpServer();
  for (const code of CODES) server.registerTool(`${code}`, {}, () => fail({ name: `${code}` }));
  return { server, reports: server.reports };
}

describe("an error code of a handler", () => {
  it.each(REVISIONS.flatMap((id) => [true, false].map((isPinned) => [id, isPinned] as const)))(
    "is sent only if the revision leaves it free, or defines it: %s, pinned %s (ERR-01, ERR-03, ERR-04, BASE-22)",
    async (id, isPinned) => {
      const { conventions, errorCodes } = revisions.find((one) => one.id === id)!;
      const [first = 1, last = 0] = conventions.reservedErrors;
      expect(last === -32000).toBe(id === "2026-07-28");
      const { server, reports } = isPinned ? pinned(id) : universal();
      const talk = await Talk.with(server, id);
      for (const code of CODES) {
        const before = reports.length;
        const { error } = await talk.call("tools/call", { name: String(code) });
        const isFree = code < first || code > last || Object.values(errorCodes).includes(code);
        if (isPinned) expect([code, error.code]).toEqual([code, isFree ? code : -32603]);
        if (!isFree) {
          expect(error).toMatchObject({ code: -32603, message: "thrown" });
          expect(reports.slice(before).map(String).join()).toContain(`the code ${code}`);
        }
      }
    },
  );
});
