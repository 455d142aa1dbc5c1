import { Client } from "@mcp-codegen/2026-07-28";
import { expect, onTestFinished, test } from "vitest";
import { HttpClientTransport } from "../../../../runtime/http/client/index.js";
import type { Wire } from "./support/raw-http.js";
import { type Served, serveBoth, serveStateless } from "./support/served.js";

async function connected({ url }: Served): Promise<Client> {
  const client = new Client({ name: "own", version: "1" });
  await client.connect(new HttpClientTransport(url));
  onTestFinished(() => client.close());
  return client;
}

const textOf = (result: Wire): unknown => result.content[0].text;

test.each([
  ["stateless", serveStateless],
  ["both", serveBoth],
])("our client and our server agree on headers, %s (HDR-01, XH-02)", async (_, serve) => {
  const served = await serve();
  const client = await connected(served);
  const { tools } = await client.listTools();
  expect(tools.length).toBe(7);
  const args = { region: "日本語", priority: 42, urgent: true, place: { city: " Rome " } };
  const routed = await client.callTool({ name: "route", arguments: args });
  expect(textOf(routed)).toBe(JSON.stringify(args));
  const uri = "file:///a%20b/ü.txt";
  expect((await client.readResource({ uri })).contents).toEqual([
    { uri: "file:///a%20b/%C3%BC.txt", text: "read" },
  ]);
});
