import { memoryStore } from "@mcp-codegen/auth/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { failure } from "./support/failure.js";
import { World } from "./support/world.js";

const scopes = ({ method, name }: { method: string | undefined; name: string | undefined }) =>
  method === "tools/call" ? (name === "write" ? ["write"] : ["read"]) : [];

describe("step-up", () => {
  it("requests the earlier scopes and those of the operation, then continues (AUTH-50, AUTH-51)", async () => {
    const world = new World({ scopes, challenge: `Bearer scope="base"` });
    const client = await world.connect();
    await client.callTool("read");
    await client.callTool("write");
    await client.close();
    expect(world.server.visits.map(({ searchParams }) => searchParams.get("scope"))).toEqual([
      "base",
      "base read",
      "base read write",
    ]);
  });

  it("ends after a few attempts, and does not start again for the same scopes (AUTH-52)", async () => {
    let count = 0;
    const refuse = ({
      token,
      method,
    }: {
      token: string | undefined;
      method: string | undefined;
    }) => {
      if (token === undefined || method !== "tools/call") return undefined;
      const header = `Bearer error="insufficient_scope", scope="more-${(count += 1)}"`;
      return new Response("", { status: 403, headers: { "www-authenticate": header } });
    };
    const world = new World({ refuse });
    const client = await world.connect();
    const refused = await failure(client.callTool("read") as never);
    expect(refused).toMatchObject({ stage: "scope", error: "insufficient_scope", status: 403 });
    expect(world.server.visits.length).toBeLessThanOrEqual(3);
    await client.close();

    const stuck = new World({
      refuse: ({ token }) =>
        token === undefined
          ? undefined
          : new Response("", {
              status: 403,
              headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="x"` },
            }),
    });
    await failure(stuck.connect());
    expect(stuck.server.visits).toHaveLength(2);
  });

  it("counts the authorizations of ten minutes, however many operations there are (AUTH-52)", async () => {
    let count = 0;
    const world = new World({
      refuse: ({ token, method }) =>
        token === undefined || method !== "tools/call"
          ? undefined
          : new Response("", {
              status: 403,
              headers: {
                "www-authenticate": `Bearer error="insufficient_scope", scope="more-${(count += 1)}"`,
              },
            }),
    });
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    onTestFinished(() => void vi.useRealTimers());
    const client = await world.connect();
    onTestFinished(() => client.close());
    const first = world.server.visits.length;
    const callTen = async (): Promise<string[]> => {
      const texts: string[] = [];
      for (let call = 0; call < 10; call += 1)
        texts.push((await failure(client.callTool(`tool-${call}`) as never)).message);
      return texts;
    };
    expect((await callTen()).at(-1)).toContain("after 8 more authorizations in 10 minutes");
    expect(world.server.visits).toHaveLength(first + 8);
    vi.setSystemTime(start + 599_999);
    await callTen();
    expect(world.server.visits).toHaveLength(first + 8);
    vi.setSystemTime(start + 600_000);
    await callTen();
    expect(world.server.visits).toHaveLength(first + 16);
  });

  it.each([
    ["in the same process", false],
    ["in the next process, which has the tokens from the store", true],
  ])(
    "uses the metadata of the 401 if the 403 names none and no well-known path has them, %s (AUTH-50, AUTH-51)",
    async (_, isNext) => {
      const place = "https://mcp.example/elsewhere/metadata";
      const world = new World({
        scopes,
        place,
        challenge: `Bearer resource_metadata="${place}", scope="base"`,
      });
      const store = memoryStore();
      let client = await world.connect({ store });
      if (isNext) {
        await client.close();
        client = await world.connect({ store });
      }
      await client.callTool("write");
      await client.close();
      const visits = world.server.visits.map(({ searchParams }) => searchParams.get("scope"));
      expect(visits).toEqual(["base", "base write"]);
      expect(world.server.at("/register")).toHaveLength(1);
      expect(world.seen.filter(({ url }) => url.pathname === "/register")).toEqual([]);
    },
  );

  it("keeps the known issuer if the metadata are gone", async () => {
    const world = new World({ scopes, challenge: `Bearer scope="base"` });
    const client = await world.connect();
    world.settings = { ...world.settings, resource: undefined };
    await client.callTool("write");
    await client.close();
    expect(world.server.visits.map(({ origin }) => origin)).toEqual(
      Array.from({ length: 2 }, () => "https://as.example"),
    );
  });

  it("does not start for a 403 about something else", async () => {
    const world = new World({
      refuse: ({ name }) => (name === "write" ? new Response("", { status: 403 }) : undefined),
    });
    const client = await world.connect();
    await expect(client.callTool("write")).rejects.toMatchObject({
      status: 403,
      name: "HttpError",
    });
    await client.close();
    expect(world.server.visits).toHaveLength(1);
  });

  it("never loops on a server that refuses every token", async () => {
    const world = new World({ refuse: () => new Response("", { status: 401 }) });
    const { stage, message } = await failure(world.connect());
    expect([stage, message]).toEqual(["token", expect.stringContaining("audience")]);
    expect(world.server.visits).toHaveLength(1);
    await failure(world.connect());
  });
});
