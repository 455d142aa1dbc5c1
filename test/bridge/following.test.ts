import { expect, it, onTestFinished } from "vitest";
import { bridge } from "@mcp-codegen/bridge";
import { child } from "./support/child.js";
import { clientAt, IDS } from "./support/stage.js";

async function before(up: string) {
  const server = await bridge(child(up).target, { onerror: () => {} });
  onTestFinished(() => server.close());
  return server;
}

it.each(IDS.flatMap((down) => ["2025-11-25", "2026-07-28"].map((up) => [down, up] as const)))(
  "a client of %s is notified of a changed resource by its own process of %s, until it unsubscribes",
  async (down, up) => {
    const server = await before(up);
    const { client } = await clientAt(down, server);
    const seen: string[] = [];
    const listener = (uri: string) => seen.push(uri);
    await client.subscribe("notes://motd", listener);
    await client.callTool("touch");
    await expect.poll(() => seen).toEqual(["notes://motd"]);
    await client.unsubscribe("notes://motd", listener);
    await client.callTool("touch");
    await client.callTool("echo", { text: "later" });
    expect(seen).toEqual(["notes://motd"]);
  },
);

it("a change in the process of one client does not reach another", async () => {
  const server = await before("2025-11-25");
  const [ada, bob] = [await clientAt("2025-06-18", server), await clientAt("2025-06-18", server)];
  const seen: string[] = [];
  await ada.client.subscribe("notes://motd", () => seen.push("ada"));
  await bob.client.subscribe("notes://motd", () => seen.push("bob"));
  await ada.client.callTool("touch");
  await expect.poll(() => seen).toEqual(["ada"]);
  await bob.client.callTool("touch");
  await expect.poll(() => seen).toEqual(["ada", "bob"]);
});

it.each(IDS)("a client of %s receives the log of a stateless server over stdio", async (down) => {
  const server = await before("2026-07-28");
  const { client } = await clientAt(down, server);
  const seen: unknown[] = [];
  client.on("log", ({ data }) => seen.push(data));
  await client.setLogLevel("info");
  await client.callTool("log");
  await expect.poll(() => seen).toEqual(["a line"]);
});
