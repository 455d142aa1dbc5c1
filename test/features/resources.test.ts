import { afterEach, describe, expect, it } from "vitest";
import { Resources, type TemplateMatch } from "../../runtime/features/index.js";
import { connected, type Connected, handshakes, settled } from "./support/revisions.js";

const says = (uri: string, content: string) => ({ contents: [{ uri, text: content }] });
const text = (uri: string) => says(uri, "text");

let pair: Connected | undefined;

afterEach(async () => {
  expect(pair?.traffic.problems ?? []).toEqual([]);
  await pair?.client.close();
  pair = undefined;
});

describe.each(handshakes)("resources under %s", (_id, pinned) => {
  const notFound = { code: pinned.revision.errorCodes["RESOURCE_NOT_FOUND"] };

  it("are declared, listed and read (RES-01, RES-02, RES-03)", async () => {
    const resources = new Resources();
    resources.add({ uri: "test://a", name: "a" }, (uri) => says(uri, "sync"));
    resources.add({ uri: "test://b", name: "b" }, async (uri) => says(uri, "async"));
    pair = await connected(pinned, { features: [resources] });
    const { client } = pair;
    expect(client.server!.capabilities).toEqual({ resources: { listChanged: true } });
    expect(await client.request("resources/list")).toEqual({
      resources: [
        { uri: "test://a", name: "a" },
        { uri: "test://b", name: "b" },
      ],
    });
    expect(await client.request("resources/templates/list")).toEqual({ resourceTemplates: [] });
    expect(await client.request("resources/read", { uri: "test://a" })).toEqual(
      says("test://a", "sync"),
    );
    expect(await client.request("resources/read", { uri: "test://b" })).toEqual(
      says("test://b", "async"),
    );
  });

  it("prevent paths from leaving a resource family (RES-17)", async () => {
    const resources = new Resources({ subscriptions: {} });
    const files = { uriTemplate: "file:///docs/{+path}", name: "files" };
    resources.addTemplate(files, (uri, { values }) => says(uri, String(values["path"])));
    const items = { uriTemplate: "test:///items/{id}{?q}", name: "items" };
    resources.addTemplate(items, (uri, { values }) => says(uri, String(values["id"])));
    const parts = { uriTemplate: "test:///parts{/rest*}", name: "parts" };
    resources.addTemplate(parts, (uri) => says(uri, ""));
    const open = { uriTemplate: "open:///{+path}", name: "open" };
    resources.addTemplate(open, (uri) => says(uri, "open"), { upwards: true });
    pair = await connected(pinned, { features: [resources] });
    const { client } = pair;
    for (const uri of [
      "file:///docs/../../etc/passwd",
      "file:///docs/a/..",
      "file:///docs/%2e%2e/%2E%2e/etc/passwd",
      "file:///docs/.%2e/etc",
      "file:///docs/a%2f..%2f..%2fetc",
      "file:///docs/a%5c..%5cetc",
      "file:///docs/%2fetc/passwd",
      "test:///items/..",
      "test:///items/%2e%2e",
      "test:///items/%2e%2e%2fetc",
      "test:///items/%2fetc",
      "test:///items/..?q=1",
      "test:///parts/a/../b",
      "test:///parts/%2e%2e",
    ]) {
      const refused = { ...notFound, data: { uri } };
      await expect(client.request("resources/read", { uri }), uri).rejects.toMatchObject(refused);
      const subscribed = client.request("resources/subscribe", { uri });
      await expect(subscribed, uri).rejects.toMatchObject(refused);
    }
    for (const [uri, content] of [
      ["file:///docs/a/..b/c..", "a/..b/c.."],
      ["file:///docs/...", "..."],
      ["test:///items/main..feature", "main..feature"],
      ["test:///items/a%2fb", "a/b"],
      ["test:///items/a?q=../..", "a"],
      ["open:///../x", "open"],
    ] as const) {
      expect(await client.request("resources/read", { uri })).toEqual(says(uri, content));
    }
  });

  it("answer for unknown, disabled and empty resources with the code of the revision (RES-10, RES-12)", async () => {
    const resources = new Resources();
    resources.add({ uri: "test://off", name: "off" }, text).disable();
    resources.add({ uri: "test://gone", name: "gone" }, () => undefined);
    resources.add({ uri: "test://empty", name: "empty" }, () => ({ contents: [] }));
    resources.add({ uri: "test://later", name: "later" }, async () => ({ contents: [] }));
    resources.addTemplate({ uriTemplate: "test://{id}/x", name: "x" }, () => undefined);
    pair = await connected(pinned, { features: [resources] });
    const { client } = pair;
    for (const name of ["none", "off", "gone", "empty", "later", "1/x", "__proto__"]) {
      const uri = `test://${name}`;
      await expect(client.request("resources/read", { uri })).rejects.toMatchObject({
        ...notFound,
        data: { uri },
      });
    }
    expect(await client.request("resources/list")).toMatchObject({
      resources: [{ name: "gone" }, { name: "empty" }, { name: "later" }],
    });
  });

  it("are read by template: exact URIs first, then templates in order, then the next one (RES-20)", async () => {
    const resources = new Resources();
    const seen: TemplateMatch[] = [];
    resources.addTemplate({ uriTemplate: "test://{kind}/{id}", name: "first" }, (uri, match) => {
      seen.push(match);
      return match.values["kind"] === "a" ? says(uri, "first") : undefined;
    });
    resources.addTemplate({ uriTemplate: "test://{+rest}", name: "second" }, async (uri) =>
      says(uri, "second"),
    );
    const fixed = resources.add({ uri: "test://a/fixed", name: "fixed" }, (uri) =>
      says(uri, "fixed"),
    );
    pair = await connected(pinned, { features: [resources] });
    const read = async (uri: string): Promise<string> =>
      (await pair!.client.request("resources/read", { uri })).contents[0].text;
    expect(await read("test://a/fixed")).toBe("fixed");
    expect(await read("test://a/%2ex")).toBe("first");
    expect(await read("test://b/1")).toBe("second");
    expect(await read("test://b/1/2")).toBe("second");
    fixed.disable();
    await expect(read("test://a/fixed")).rejects.toMatchObject(notFound);
    fixed.remove();
    expect(await read("test://a/fixed")).toBe("first");
    expect({ ...seen[0]!.values }).toEqual({ kind: "a", id: ".x" });
    expect({ ...seen[0]!.raw }).toEqual({ kind: "a", id: "%2ex" });
    expect(await pair.client.request("resources/templates/list")).toMatchObject({
      resourceTemplates: [{ name: "first" }, { name: "second" }],
    });
  });

  it("are listed with those of templates, each URI once, single resources first", async () => {
    const resources = new Resources();
    resources.addTemplate({ uriTemplate: "test://{id}", name: "family" }, text, {
      list: async () => [
        { uri: "test://1", name: "one" },
        { uri: "test://a", name: "not this one" },
        { uri: "test://off", name: "nor this one" },
      ],
    });
    resources.add({ uri: "test://off", name: "off" }, text).disable();
    resources.addTemplate({ uriTemplate: "other://{id}", name: "silent" }, text);
    resources.add({ uri: "test://a", name: "a" }, text);
    pair = await connected(pinned, { features: [resources] });
    expect(await pair.client.request("resources/list")).toEqual({
      resources: [
        { uri: "test://a", name: "a" },
        { uri: "test://1", name: "one" },
      ],
    });
  });

  it("are listed in pages, without cursors of the other list (PAGE-01, PAGE-06)", async () => {
    const resources = new Resources({ pageSize: 2 });
    for (const id of [1, 2, 3]) {
      resources.add({ uri: `test://${id}`, name: `${id}` }, text);
      resources.addTemplate({ uriTemplate: `test://${id}/{x}`, name: `${id}` }, text);
    }
    pair = await connected(pinned, { features: [resources] });
    const { client } = pair;
    const first = await client.request("resources/list");
    expect(first.resources).toHaveLength(2);
    const rest = await client.request("resources/list", { cursor: first.nextCursor });
    expect(rest).toEqual({ resources: [{ uri: "test://3", name: "3" }] });
    const templates = await client.request("resources/templates/list");
    expect(templates.resourceTemplates).toHaveLength(2);
    for (const cursor of [first.nextCursor, "", "x"]) {
      await expect(client.request("resources/templates/list", { cursor })).rejects.toMatchObject({
        code: -32602,
      });
    }
  });

  it("send one list change notification per turn (RES-06)", async () => {
    const resources = new Resources();
    resources.add({ uri: "test://a", name: "a" }, text);
    pair = await connected(pinned, { features: [resources] });
    const { traffic } = pair;
    const changes = (): number => traffic.notified("notifications/resources/list_changed").length;
    await settled();
    expect(changes()).toBe(0);
    const b = resources.add({ uri: "test://b", name: "b" }, text);
    b.update({ name: "B" });
    const family = resources.addTemplate({ uriTemplate: "test://{x}/y", name: "y" }, text);
    await settled();
    expect(changes()).toBe(1);
    b.disable();
    b.disable();
    b.update({ name: "unseen" });
    await settled();
    expect(changes()).toBe(2);
    family.remove();
    family.remove();
    family.enable();
    await settled();
    expect(changes()).toBe(3);
    b.enable();
    b.update({ uri: "test://c" });
    expect(await pair.client.request("resources/list")).toMatchObject({
      resources: [{ uri: "test://a" }, { uri: "test://c", name: "unseen" }],
    });
  });

  it("answer with a plain -32603 if a reader throws", async () => {
    const resources = new Resources();
    resources.add({ uri: "test://a", name: "a" }, () => {
      throw new Error("secret");
    });
    pair = await connected(pinned, { features: [resources] });
    const refused = pair.client.request("resources/read", { uri: "test://a" });
    await expect(refused).rejects.toMatchObject({ code: -32603 });
    expect(JSON.stringify(pair.traffic.sent)).not.toContain("secret");
    expect(pair.errors).toHaveLength(1);
  });

  it("do not look up a URI of a megabyte (S07)", async () => {
    const resources = new Resources();
    resources.addTemplate({ uriTemplate: "test:{/id*}", name: "family" }, (uri) => text(uri));
    pair = await connected(pinned, { features: [resources] });
    const uri = `test:${"/a".repeat(500_000)}`;
    await expect(pair.client.request("resources/read", { uri })).rejects.toMatchObject(notFound);
    const { contents } = await pair.client.request("resources/read", { uri: "test:/a" });
    expect(contents).toEqual([{ uri: "test:/a", text: "text" }]);
  });
});

describe("adding a resource", () => {
  it.each(["", "a", "/a", "1:a", "test://a b", "test://%", "test://a\n"])(
    "rejects the URI %j (RES-15, RES-16)",
    (uri) => {
      expect(() => new Resources().add({ uri, name: "a" }, text)).toThrow(TypeError);
    },
  );

  it("rejects duplicates, invalid templates, and completers without Completions", () => {
    const resources = new Resources();
    resources.add({ uri: "test://a", name: "a" }, text);
    const b = resources.add({ uri: "test://b", name: "b" }, text);
    resources.addTemplate({ uriTemplate: "test://{a}", name: "a" }, text);
    expect(() => resources.add({ uri: "test://a", name: "a" }, text)).toThrow(/already/);
    expect(() => b.update({ uri: "test://a" })).toThrow(/already/);
    expect(b.definition.uri).toBe("test://b");
    const again = { uriTemplate: "test://{a}", name: "a" };
    expect(() => resources.addTemplate(again, text)).toThrow(/already/);
    const broken = { uriTemplate: "test://{a", name: "a" };
    expect(() => resources.addTemplate(broken, text)).toThrow(/never closed/);
    const other = { uriTemplate: "test://{b}", name: "b" };
    expect(() => resources.addTemplate(other, text, { complete: {} })).toThrow(/completions/);
    expect(() => new Resources({ pageSize: 0 })).toThrow(TypeError);
  });
});
