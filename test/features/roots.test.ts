import { afterEach, describe, expect, it } from "vitest";
import { Roots } from "../../runtime/features/index.js";
import { connected, type Connected, handshakes, settled } from "./support/revisions.js";

const CHANGED = "notifications/roots/list_changed";

let pair: Connected | undefined;

afterEach(async () => {
  expect(pair?.traffic.problems ?? []).toEqual([]);
  await pair?.client.close();
  pair = undefined;
});

describe.each(handshakes)("roots under %s", (_id, pinned) => {
  it("are declared and listed (ROOT-01, ROOT-02)", async () => {
    const roots = new Roots([{ uri: "file:///project", name: "Project" }]);
    pair = await connected(pinned, {}, { features: [roots] });
    expect(pair.server.client!.capabilities).toEqual({ roots: { listChanged: true } });
    await settled();
    expect(await pair.server.request("roots/list")).toEqual({
      roots: [{ uri: "file:///project", name: "Project" }],
    });
  });

  it("send one change notification per turn (ROOT-04)", async () => {
    const roots = new Roots();
    let received = 0;
    const handlers = { [CHANGED]: () => void (received += 1) };
    pair = await connected(pinned, { handlers }, { features: [roots] });
    await settled();
    expect(await pair.server.request("roots/list")).toEqual({ roots: [] });
    roots.set([{ uri: "file:///a" }]);
    roots.set([{ uri: "file:///b" }]);
    await settled();
    expect(received).toBe(1);
    expect(roots.current).toEqual([{ uri: "file:///b" }]);
    expect(await pair.server.request("roots/list")).toEqual({ roots: [{ uri: "file:///b" }] });
  });

  it("are refused by a client without roots (ROOT-05)", async () => {
    pair = await connected(pinned, {});
    await settled();
    await expect(pair.server.request("roots/list")).rejects.toMatchObject({ code: "CAPABILITY" });
  });
});

describe("a root", () => {
  it.each([
    "",
    "/project",
    "https://example.org/",
    "file:/project",
    "FILE:///project",
    "file://[/",
    "file:///a/../b",
    "file:///a/%2e%2E/b",
    "file:///a%2f..%2fb",
    "file:///a/..",
  ])("rejects %j (ROOT-03, ROOT-06)", (uri) => {
    expect(() => new Roots([{ uri }])).toThrow(TypeError);
    const roots = new Roots([{ uri: "file:///fine" }]);
    expect(() => roots.set([{ uri: "file:///new" }, { uri }])).toThrow(TypeError);
    expect(roots.current).toEqual([{ uri: "file:///fine" }]);
  });

  it("may have dots in its name", () => {
    expect(() => new Roots([{ uri: "file:///a..b/.c/d.." }])).not.toThrow();
  });
});

describe("invalid roots", () => {
  it.each<unknown>(["/x", null, {}, { path: "/x" }])("%j", (root) => {
    expect(() => new Roots([root as never])).toThrow('{ uri: "file:///…" }');
  });
});
