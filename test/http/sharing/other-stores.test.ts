import { describe, expect, it } from "vitest";
import { memoryStores } from "@mcp-codegen/testing/stores";
import { tool } from "../server/serve.js";
import { instances, RoamingClient, Shared } from "./support/instances.js";

const echo = tool(1, "echo", { text: "" });

describe("an instance whose store differs from the one that opened a session", () => {
  it("refuses the session and reports the difference once", async () => {
    const [here] = instances(1);
    const [there] = instances(1);
    const client = await new RoamingClient([here!, here!]).open("2025-11-25");
    const elsewhere = new RoamingClient([there!], client.headers);
    for (let count = 0; count < 3; count++)
      expect((await elsewhere.at(0).post(echo)).status).toBe(404);
    expect((await elsewhere.at(0).get()).status).toBe(404);
    expect(there!.errors.map(({ message }) => message)).toEqual([
      expect.stringContaining("opened with another store: check that all instances"),
    ]);
    expect(here!.errors).toEqual([]);
  });

  it("is reported for only a few of the ids that a client can invent", async () => {
    const [one] = instances(1);
    const client = await new RoamingClient([one!, one!]).open("2025-11-25");
    for (let count = 0; count < 20; count++) {
      const headers = { ...client.headers, "Mcp-Session-Id": `${"0".repeat(12)}.${count}abcdefgh` };
      expect((await client.at(0).post(echo, headers)).status).toBe(404);
    }
    expect(one!.errors).toHaveLength(5);
  });
});

describe("instances with the same store", () => {
  it("report no session that has ended or expired, and none that a client invented", async () => {
    const all = instances(2, { shared: new Shared(memoryStores({ sessionTtl: 50 })) });
    const client = await new RoamingClient(all).open("2025-11-25");
    const invented = { ...client.headers, "Mcp-Session-Id": crypto.randomUUID() };
    expect((await client.at(1).post(echo, invented)).status).toBe(404);
    await expect.poll(() => all[0]!.handler.sessions).toBe(1);
    expect((await client.at(0).delete()).status).toBe(200);
    for (const index of [0, 1]) expect((await client.at(index).post(echo)).status).toBe(404);
    expect(all.map(({ errors }) => errors)).toEqual([[], []]);
  });

  it("report nothing if the option newSessionId creates the ids", async () => {
    let count = 0;
    const options = { http: { newSessionId: () => `own.sessionid${count++}` } };
    const [here] = instances(1, options);
    const [there] = instances(1, options);
    const client = await new RoamingClient([here!, here!]).open("2025-11-25");
    expect(client.headers["Mcp-Session-Id"]).toBe("own.sessionid0");
    const elsewhere = new RoamingClient([there!], client.headers);
    expect((await elsewhere.at(0).post(echo)).status).toBe(404);
    expect(here!.errors).toEqual([]);
  });
});
