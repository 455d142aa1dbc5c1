import { revisions } from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";
import { World } from "./support/world.js";

describe.each(revisions.map(({ id }) => id))("at revision %s", (id) => {
  it("logs in if the server requires it, and sends the token with every request (AUTH-12, AUTH-16, AUTH-33)", async () => {
    const world = new World();
    const client = await world.connect({}, { revisions: revisions.filter((one) => one.id === id) });
    await client.listTools();
    expect((await client.callTool("read")).isError).toBeFalsy();
    await client.close();
    expect(world.server.visits).toHaveLength(1);
    const [, ...later] = world.calls;
    expect(new Set(later.map(({ token }) => token))).toEqual(new Set(["token-secret-3"]));
    expect(world.seen.some(({ url }) => url.search.includes("token"))).toBe(false);
  });
});
