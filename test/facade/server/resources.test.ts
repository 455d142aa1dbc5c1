import { describe, expect, it } from "vitest";
import { ResourceTemplate } from "@mcp-codegen/universal";
import { factsOf, McpServer, REVISIONS } from "./support/server.js";
import { Talk } from "./support/talk.js";
import { itWhere } from "../../support/conditional.js";

async function read(talk: Talk, uri: string) {
  const answer = await talk.call("resources/read", { uri });
  return answer.result?.contents ?? answer.error;
}

describe.each(REVISIONS)("resources at %s", (revision) => {
  const { isAlone } = factsOf(revision);
  it("return a string, bytes, contents, a whole result, or nothing", async () => {
    const server = new McpServer();
    const config = { mimeType: "text/plain", description: "A text" };
    server.registerResource("text", "demo://text", config, (uri) => uri.href);
    server.registerResource("bytes", "demo://bytes", {}, () => new Uint8Array([1, 2, 255]));
    server.registerResource("many", "demo://many", {}, (uri) => [
      { uri: uri.href, text: "a" },
      { uri: `${uri.href}/b`, text: "b" },
    ]);
    server.registerResource("whole", "demo://whole", {}, async (uri, ctx) => ({
      contents: [{ uri: uri.href, text: ctx.method }],
    }));
    server.registerResource("gone", "demo://gone", {}, () => undefined);
    const talk = await Talk.with(server, revision);
    const [first] = (await talk.call("resources/list")).result.resources;
    expect(first).toEqual({ name: "text", uri: "demo://text", ...config });
    expect(await read(talk, "demo://text")).toEqual([
      { uri: "demo://text", mimeType: "text/plain", text: "demo://text" },
    ]);
    expect(await read(talk, "demo://bytes")).toEqual([{ uri: "demo://bytes", blob: "AQL/" }]);
    expect(await read(talk, "demo://many")).toHaveLength(2);
    expect(await read(talk, "demo://whole")).toMatchObject([{ text: "resources/read" }]);
    const missing = { code: isAlone ? -32602 : -32002, data: { uri: "demo://gone" } };
    expect(await read(talk, "demo://gone")).toMatchObject(missing);
  });

  it("may be templates with lists and completions", async () => {
    const server = new McpServer();
    server.registerResource(
      "profile",
      new ResourceTemplate("users://{id}/profile", {
        list: (ctx) => ({ resources: [{ name: ctx.method, uri: "users://1/profile" }] }),
        complete: { id: (value) => ["1", "12"].filter((id) => id.startsWith(value)) },
      }),
      { description: "Profiles" },
      (_uri, { id }) => (id === "9" ? undefined : `profile of ${String(id)}`),
    );
    const talk = await Talk.with(server, revision);
    const templates = (await talk.call("resources/templates/list")).result.resourceTemplates;
    expect(templates).toEqual([
      { name: "profile", uriTemplate: "users://{id}/profile", description: "Profiles" },
    ]);
    const { resources } = (await talk.call("resources/list")).result;
    expect(resources).toEqual([
      { name: "resources/list", uri: "users://1/profile", description: "Profiles" },
    ]);
    expect(await read(talk, "users://7/profile")).toMatchObject([{ text: "profile of 7" }]);
    expect(await read(talk, "users://9/profile")).toMatchObject({ data: {} });
    const { completion } = (
      await talk.call("completion/complete", {
        ref: { type: "ref/resource", uri: "users://{id}/profile" },
        argument: { name: "id", value: "12" },
      })
    ).result;
    expect(completion.values).toEqual(["12"]);
  });

  it("send change notifications to their subscribers (T8)", async () => {
    const server = new McpServer();
    const handle = server.registerResource("a", "demo://a", {}, () => "1");
    const talk = await Talk.with(server, revision);
    const filter = { resourceSubscriptions: ["demo://a"], resourcesListChanged: true };
    if (isAlone) await talk.listen(filter);
    else await talk.call("resources/subscribe", { uri: "demo://a" });
    await talk.notifications();
    server.resourceUpdated("demo://a");
    server.resourceUpdated("demo://a");
    server.resourceUpdated("demo://b");
    const updates = await talk.notifications();
    expect(updates.map(({ method, params }) => [method, params.uri])).toEqual([
      ["notifications/resources/updated", "demo://a"],
    ]);
    handle.update({ title: "A", read: () => "2" });
    const [changed] = await talk.notifications();
    expect(changed.method).toBe("notifications/resources/list_changed");
    expect(await read(talk, "demo://a")).toMatchObject([{ text: "2" }]);
    handle.update({ title: "B", read: () => "3" });
    expect(handle.definition.title).toBe("B");
    expect(await read(talk, "demo://a")).toMatchObject([{ text: "3" }]);
    handle.update({ title: "A" });
    handle.update({ uri: "demo://c", enabled: false });
    expect(handle.definition).toMatchObject({ uri: "demo://c", title: "A" });
    expect((await talk.call("resources/list")).result.resources).toEqual([]);
    handle.enable();
    handle.remove();
    expect((await talk.call("resources/list")).result.resources).toEqual([]);
  });

  itWhere(isAlone)("state how long they may be cached", async () => {
    const server = new McpServer();
    const cacheHint = { ttlMs: 5000, cacheScope: "public" as const };
    server.registerResource("a", "demo://a", { cacheHint }, () => "1");
    const talk = await Talk.with(server, revision);
    expect((await talk.call("resources/read", { uri: "demo://a" })).result).toMatchObject(
      cacheHint,
    );
    const [listed] = (await talk.call("resources/list")).result.resources;
    expect(listed).not.toHaveProperty("cacheHint");
  });
});

describe("registering resources", () => {
  it("rejects invalid URIs, templates and functions, and completions for unknown variables", () => {
    const server = new McpServer();
    expect(() => server.registerResource("a", "demo://{id}", {}, () => "")).toThrow(/absolute URI/);
    expect(() => server.registerResource("a", "demo://a", {}, 1 as never)).toThrow(/function/);
    const template = new ResourceTemplate("demo://{id}", { complete: { other: () => [] } });
    expect(() => server.registerResource("a", template, {}, () => "")).toThrow(/"other"/);
  });
});
