import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bundle } from "../../../behaviour/support/bundle.js";
import { GIVEN, RoundTrips, type Wire } from "../../../stateless/rounds/support/round-trips.js";
import { ProxiedFleet } from "./support/proxied-fleet.js";
import { fieldsOf, post } from "./support/raw-http.js";

const folder = mkdtempSync(join(tmpdir(), "mcp-http-rounds-"));
const program = join(folder, "asking.mjs");

beforeAll(() => bundle("test/http/server/stateless/support/asking-program.ts", program));
afterAll(() => rmSync(folder, { recursive: true }));

async function fleet(size = 3): Promise<ProxiedFleet> {
  const one = new ProxiedFleet(program);
  onTestFinished(() => one.stop());
  return one.start(size);
}

/** Sends each request as a separate HTTP request. */
class OverHttp extends RoundTrips {
  readonly url: string;
  #lastId = 0;

  constructor(url: string) {
    super();
    this.url = url;
  }

  async request(method: string, params: object): Promise<Wire> {
    const body = { jsonrpc: "2.0", id: ++this.#lastId, method, params };
    const { status, message } = await post(this.url, body, fieldsOf(body));
    expect([status, message.id]).toEqual([200, body.id]);
    return message;
  }
}

const give = (method: string) => async () => GIVEN[method];

async function official(url: string): Promise<Client> {
  const client = new Client(
    { name: "official", version: "2" },
    {
      versionNegotiation: { mode: { pin: "2026-07-28" } },
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    },
  );
  for (const method of Object.keys(GIVEN))
    client.setRequestHandler(method as never, give(method) as never);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(() => client.close());
  return client;
}

const EXPECTED = {
  sequence: "1 Ada Paris 1 file:///work",
  parallel: "1 Ada Paris file:///work accept",
};

describe.each(Object.entries(EXPECTED))("%s (STATE-03, MRTR-19, MRTR-23)", (name, text) => {
  test("work with three processes behind one URL", async () => {
    const three = await fleet();
    const client = new OverHttp(three.url);
    expect(await client.text(name)).toBe(text);
    expect(three.requests.filter((count) => count > 0).length).toBe(3);
  });

  test("work with processes that are killed after each response", async () => {
    const three = await fleet();
    three.isDeadly = true;
    expect(await new OverHttp(three.url).text(name)).toBe(text);
    // The last process is replaced after its answer has arrived.
    await expect.poll(() => three.count).toBeGreaterThan(4);
  });

  test("work for the official client", async () => {
    const three = await fleet();
    const client = await official(three.url);
    const { content } = await client.callTool({ name });
    expect((content as Wire)[0].text).toBe(text);
  });
});
