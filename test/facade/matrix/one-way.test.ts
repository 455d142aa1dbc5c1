import { describe, expect, onTestFinished, test } from "vitest";
import { createHttpHandler, type HttpHandlerOptions } from "../../../runtime/http/server/index.js";
import { listen } from "../../../runtime/http/node/index.js";
import { matrixServer } from "./server.js";
import { REVISIONS } from "./support/cases.js";
import { HttpLink } from "./support/http-link.js";
import { AGREEABLE, Speaker } from "./support/speaker.js";

async function served(options: HttpHandlerOptions): Promise<string> {
  const { url, close } = await listen(createHttpHandler(matrixServer(), options));
  onTestFinished(() => close(0));
  return url;
}

describe.each(REVISIONS.slice(2, -1))("without a channel to a client of %s (T2)", (revision) => {
  /** Sends a request without a session, like a client that has received no session id. */
  async function alone(url: string, method: string, params: object) {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": revision,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as { result?: Record<string, unknown>; error?: object };
  }

  test("requests to the client are rejected at once, with the reason", async () => {
    const url = await served({ sessions: false });
    const { result } = await alone(url, "tools/call", { name: "sequence", arguments: {} });
    expect(result).toMatchObject({ isError: true });
  });

  test("the client is unknown, and requests still work (T1, T7)", async () => {
    const url = await served({ sessions: false });
    const { result } = await alone(url, "tools/call", { name: "who", arguments: {} });
    expect(result).toMatchObject({ content: [{ text: `  ${revision}` }] });
    expect((await alone(url, "logging/setLevel", { level: "debug" })).result).toEqual({});
  });
});

test("input requests need no such channel at 2026-07-28, and all responses may be JSON (T20)", async () => {
  const url = await served({ responses: "json" });
  const link = new HttpLink(url);
  const speaker = await Speaker.over(link, "2026-07-28", { answers: AGREEABLE });
  expect(await speaker.text("sequence")).toBe("ordered Ada Paris (m) file:///work");
  const wanting = { "io.modelcontextprotocol/logLevel": "debug", progressToken: "raw-p" };
  const params = { name: "work", arguments: {}, _meta: wanting };
  expect((await speaker.call("tools/call", params)).result.content[0].text).toBe("done");
  expect(speaker.notes).toEqual([]);
  expect(speaker.violations).toEqual([]);
  link.close();
});
