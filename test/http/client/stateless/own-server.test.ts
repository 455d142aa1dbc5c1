import { describe, expect, it } from "vitest";
import { Tools } from "../../../../generated/2026-07-28/features.js";
import { Client, type ClientHandlers, Server } from "../../../../generated/2026-07-28/index.js";
import { HttpClientTransport } from "../../../../runtime/http/client/index.js";
import { createHttpHandler } from "../../../../runtime/http/server/index.js";
import { listen } from "../../../../runtime/http/node/index.js";
import { jsonSchemas } from "../../../../runtime/json-schema/index.js";
import { closeAfter, until } from "../support/clients.js";

const info = { name: "own", version: "1.0.0" };

interface Own {
  readonly client: Client;
  readonly tools: Tools;
  /** Calls whose clients have gone away. */
  readonly aborted: string[];
  /** Errors that either side reported. */
  readonly errors: Error[];
}

async function own(handlers: ClientHandlers = {}): Promise<Own> {
  const errors: Error[] = [];
  const aborted: string[] = [];
  const onerror = (error: Error): void => void errors.push(error);
  const tools = new Tools({ schemas: jsonSchemas() });
  const properties = {
    region: { type: "string", "x-mcp-header": "Region" },
    count: { type: "integer", "x-mcp-header": "Count" },
  } as const;
  tools.add({ name: "where", inputSchema: { type: "object", properties } }, (args) => ({
    content: [{ type: "text", text: JSON.stringify(args) }],
  }));
  tools.add({ name: "wait", inputSchema: { type: "object" } }, (_, { signal, progress }) => {
    progress(1);
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        aborted.push("wait");
        reject(new Error("aborted"));
      });
    });
  });
  const server = new Server(info, {}, { features: [tools], onerror });
  const { url } = closeAfter(await listen(createHttpHandler(server)));
  const client = closeAfter(new Client(info, handlers, { onerror }));
  await client.connect(new HttpClientTransport(url));
  return { client, tools, aborted, errors };
}

/** Lets tests send the request that opens a subscription, which is not among the typed requests. */
interface Untyped {
  request(method: string, params: object, options?: object): Promise<unknown>;
}

describe("our client with our server", () => {
  it.each([
    { region: "us west", count: 42 },
    { region: " 日本語\n", count: -0 },
    { region: "=?base64?aGk=?=" },
    { region: "" },
    {},
  ])("agrees on the headers of %j (XH-02, XH-13, XH-14)", async (args) => {
    const { client, errors } = await own();
    await client.listTools();
    const { content } = await client.callTool({ name: "where", arguments: args });
    expect(content).toEqual([{ type: "text", text: JSON.stringify(args) }]);
    expect(errors).toEqual([]);
  });

  it("fetches the list again if a header is missing (XH-16)", async () => {
    const { client } = await own();
    const { content } = await client.callTool({ name: "where", arguments: { region: "eu" } });
    expect(content).toEqual([{ type: "text", text: '{"region":"eu"}' }]);
  });

  it("stops the handler when the caller aborts (CANC-09, CANC-11)", async () => {
    const { client, aborted } = await own();
    const controller = new AbortController();
    const call = client.callTool(
      { name: "wait", arguments: {} },
      { signal: controller.signal, onprogress: () => controller.abort(new Error("enough")) },
    );
    await expect(call).rejects.toThrow("enough");
    await until(() => aborted.length === 1);
  });

  it("stops the handler when the client disconnects (CANC-11)", async () => {
    const { client, aborted } = await own();
    let isUnderWay = false;
    const onprogress = (): void => void (isUnderWay = true);
    const call = client.callTool({ name: "wait", arguments: {} }, { onprogress });
    const failing = expect(call).rejects.toThrow();
    await until(() => isUnderWay);
    await client.close();
    await failing;
    await until(() => aborted.length === 1);
  });

  it("receives change notifications by subscription", async () => {
    let notified = 0;
    const { client, tools } = await own({
      "notifications/tools/list_changed": () => void (notified += 1),
    });
    const params = { notifications: { toolsListChanged: true } };
    const listening = (client as unknown as Untyped).request("subscriptions/listen", params);
    listening.catch(() => {});
    let count = 0;
    await expect
      .poll(() => {
        tools.add({ name: `new${(count += 1)}`, inputSchema: { type: "object" } }, () => ({
          content: [],
        }));
        return notified;
      })
      .toBeGreaterThan(0);
  });
});
