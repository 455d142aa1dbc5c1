import { describe, expect, onTestFinished, test } from "vitest";
import { ClientBase, type Revision } from "@mcp-codegen/runtime";
import { type ConnectOptions, revisions } from "@mcp-codegen/universal";
import { clientOfAnyKind } from "../../../runtime/negotiation/index.js";
import { RawPeer, type Wire } from "../../engine/support/raw-peer.js";
import { connect, scripted, type Scripted, scriptedSession } from "./support/connecting.js";

const [newest] = revisions;
const capabilities = { tools: {}, resources: {}, prompts: {}, tasks: { list: {} } };
const complete = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
const text = [{ type: "text", text: "hi" }];
const link = { type: "resource_link", uri: "x:y", name: "link" };

/** Connects a universal client at one revision to a server that the test controls. */
function at({ id }: Revision, options?: ConnectOptions): Promise<Scripted> {
  if (id === newest!.id) return scripted(options, { capabilities });
  return scriptedSession(options, { capabilities }, id);
}

class OneClient extends ClientBase<Record<string, Wire>, Record<string, Wire>, unknown, unknown> {}

/** Creates a client that supports only that revision. */
async function pinned(revision: Revision, options: object = {}) {
  const errors: Error[] = [];
  const server = new RawPeer();
  const all = { onerror: (error: Error) => errors.push(error), ...options };
  const info = { name: "test", version: "1" };
  const client = new OneClient([revision], info, {}, all, clientOfAnyKind as never);
  onTestFinished(() => client.close());
  const connecting = client.connect(server);
  const { id } = await server.next();
  const serverInfo = { name: "raw", version: "0" };
  const known = { protocolVersion: revision.id, supportedVersions: [revision.id], serverInfo };
  server.answer(id, { ...complete, ...known, capabilities });
  await connecting;
  await server.rest();
  return { client, server, errors };
}

/** Sends a request and answers it with a result. */
async function answered(
  { client, server }: { client: { request: Wire }; server: RawPeer },
  method: string,
  params: object | undefined,
  result: object,
): Promise<Wire> {
  const answer = client.request(method, params);
  answer.catch(() => {});
  let requested = await server.next();
  while (requested.method !== method) requested = await server.next();
  server.answer(requested.id, result);
  return answer;
}

const texts = (errors: readonly Error[]): string[] => errors.map(({ message }) => message);

describe.each(revisions.map((revision) => [revision.id, revision] as const))(
  "at %s",
  (_, revision) => {
    const call = { name: "x" };

    test.each([{ toolResult: 5 }, { structuredContent: { a: 1 } }, {}])(
      "a tool result without content, %j, is read with empty content, and reported once",
      async (result) => {
        for (const ends of [await at(revision), await pinned(revision)]) {
          for (let time = 0; time < 2; time += 1) {
            expect(await answered(ends, "tools/call", call, result)).toMatchObject({
              ...result,
              content: [],
            });
          }
          expect(texts(ends.errors)).toEqual([
            "The result of tools/call lacks a list: /content is read as empty",
          ]);
        }
      },
    );

    test("a list without its items is rejected", async () => {
      const ends = await at(revision);
      await expect(answered(ends, "tools/list", undefined, {})).rejects.toThrow("/tools");
    });

    test("an empty array is read as an empty object if an object is required", async () => {
      const ends = await at(revision);
      const result = { content: [{ ...text[0], annotations: [] }], _meta: [] };
      expect(await answered(ends, "tools/call", call, result)).toMatchObject({
        content: [{ annotations: {} }],
        _meta: {},
      });
      expect(texts(ends.errors)).toEqual([
        "The result of tools/call has [] instead of an object: /_meta is read as empty",
        "The result of tools/call has [] instead of an object: /content/…/annotations is read as empty",
      ]);
    });

    test("an invalid result is still rejected", async () => {
      for (const ends of [await at(revision), await pinned(revision)]) {
        for (const content of [{}, "hi", [{ type: "unheard of" }], [{ type: "text" }]]) {
          const answer = answered(ends, "tools/call", call, { content });
          await expect(answer).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
        }
        expect(ends.errors).toEqual([]);
      }
    });
  },
);

const sessions = revisions.slice(1);

test.each(sessions.map((revision) => [revision.id, revision] as const))(
  "capabilities that are [] are read as empty objects at %s",
  async (_, revision) => {
    const about = { capabilities: { logging: [], completions: [], tools: { listChanged: true } } };
    const { client, errors } = await scriptedSession({}, about, revision.id);
    expect(client.server.capabilities).toMatchObject({ logging: {}, tools: { listChanged: true } });
    expect(texts(errors)[0]).toContain("/capabilities/logging is read as empty");
  },
);

test("capabilities that are [] are read as empty objects without a session", async () => {
  const { client, errors } = await scripted({}, { capabilities: { tools: [], completions: [] } });
  expect(client.era).toBe("stateless");
  expect(client.server.capabilities).toEqual({ tools: {}, completions: {} });
  expect(errors).toHaveLength(2);
});

describe("content that is newer than the agreed revision", () => {
  const kinds = [link, { type: "audio", data: "AAAA", mimeType: "audio/wav" }];
  const older = sessions.flatMap((revision) =>
    kinds
      .filter((kind) => !revision.methods.get("tools/call")!.result!({ content: [kind] }))
      .map((kind) => [revision.id, kind.type, revision, kind] as const),
  );

  test("exists in the schemas", () => expect(older).toHaveLength(3));

  test.each(older)("is accepted at %s: %s, and reported once", async (id, _, revision, kind) => {
    const ends = await at(revision);
    for (let time = 0; time < 2; time += 1) {
      const answer = await answered(
        ends,
        "tools/call",
        { name: "x" },
        { content: [kind, ...text] },
      );
      expect(answer).toMatchObject({ resultType: "complete", content: [kind, ...text] });
    }
    expect(texts(ends.errors)).toEqual([
      `The result of tools/call is not valid in ${id}: it is read as a result of ${newest!.id}`,
    ]);
  });

  test.each(older)(
    "is rejected by a client of %s alone: %s",
    async (_id, _type, revision, kind) => {
      const ends = await pinned(revision);
      const answer = answered(ends, "tools/call", { name: "x" }, { content: [kind] });
      await expect(answer).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
    },
  );

  test.each(older)(
    "is accepted by such a client if an option says so: %s, %s",
    async (_id, _type, revision, kind) => {
      const ends = await pinned(revision, { newerRevisions: revisions });
      const answer = answered(ends, "tools/call", { name: "x" }, { content: [kind] });
      expect(await answer).toMatchObject({ content: [kind] });
    },
  );

  test("does not allow input requests inside results", async () => {
    const result = { resultType: "input_required", requestState: "x" };
    const answer = answered(await at(sessions[0]!), "prompts/get", { name: "x" }, result);
    await expect(answer).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
    await expect(
      answered(
        await at(sessions[1]!),
        "resources/read",
        { uri: "x:y" },
        { ...result, contents: 5 },
      ),
    ).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
  });
});

describe("one invalid item does not hide a list", () => {
  const task = { status: "working", createdAt: "x", lastUpdatedAt: "x", ttl: null };
  /** Each method's list name in the result, with a good item and a bad one. */
  const lists: Record<string, readonly [member: string, good: object, bad: object]> = {
    "tools/list": ["tools", { name: "good", inputSchema: { type: "object" } }, { name: "bad" }],
    "prompts/list": ["prompts", { name: "good" }, { name: "bad", arguments: {} }],
    "resources/list": ["resources", { name: "good", uri: "x:y" }, { name: "bad", uri: 5 }],
    "resources/templates/list": [
      "resourceTemplates",
      { name: "good", uriTemplate: "x:{y}" },
      { name: "bad" },
    ],
    "tasks/list": ["tasks", { taskId: "good", ...task }, { taskId: "bad" }],
  };
  const all = revisions.flatMap((revision) =>
    [...revision.methods.values()]
      .filter(({ paginated, from }) => paginated && from !== "server")
      .map(({ method }) => [method, revision.id, revision] as const),
  );

  test("all lists are covered", () => {
    expect(new Set(all.map(([method]) => method))).toEqual(new Set(Object.keys(lists)));
  });

  test.each(all)(
    "%s at %s: the item is dropped, and reported once by name",
    async (method, _, revision) => {
      const [member, good, bad] = lists[method]!;
      const ends = method === "tasks/list" ? await pinned(revision) : await at(revision);
      const result = { [member]: [good, bad, good, null], nextCursor: "2" };
      for (let time = 0; time < 2; time += 1) {
        const answer = await answered(ends, method, {}, result);
        expect(answer).toMatchObject({ [member]: [good, good], nextCursor: "2" });
      }
      expect(ends.errors).toHaveLength(2);
      expect(texts(ends.errors)[0]).toContain(
        `${method}: the item "bad" is dropped (option onInvalidItem): /${member}/1`,
      );
      expect(texts(ends.errors)[1]).toContain(`(option onInvalidItem): /${member}/3`);
    },
  );

  test.each(all)(
    "%s at %s: the list is rejected if an option says so",
    async (method, _, revision) => {
      const [member, good, bad] = lists[method]!;
      const options = { onInvalidItem: "refuse" } as const;
      const ends = await (method === "tasks/list" ? pinned : at)(revision, options);
      const answer = answered(ends, method, {}, { [member]: [good, bad] });
      await expect(answer).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
      expect(ends.errors).toEqual([]);
    },
  );

  test("a list that is invalid in another way is rejected", async () => {
    const ends = await at(sessions[0]!);
    const tools = [{ name: "good", inputSchema: { type: "object" } }, { name: "bad" }];
    const answer = answered(ends, "tools/list", {}, { tools, nextCursor: 5 });
    await expect(answer).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
  });

  test("many invalid items are dropped quickly, and not all are reported", async () => {
    const ends = await at(sessions[0]!);
    const tools = Array.from({ length: 20_000 }, (_, index) => ({ name: `bad ${index}` }));
    expect(await answered(ends, "tools/list", {}, { tools })).toMatchObject({ tools: [] });
    expect(ends.errors).toHaveLength(1000);
  });

  test("many empty arrays in place of objects are read in copies that are made once", async () => {
    const ends = await at(sessions[0]!);
    const tools = Array.from({ length: 300 }, (_, index) => ({
      name: `tool ${index}`,
      inputSchema: { type: "object", properties: [] },
    }));
    const sent = structuredClone(tools);
    const { tools: read } = await answered(ends, "tools/list", {}, { tools });
    expect(read).toHaveLength(300);
    expect(read.map((one: Wire) => one.inputSchema.properties)).toEqual(tools.map(() => ({})));
    expect(tools).toEqual(sent);
    expect(ends.errors).toHaveLength(1);
  });

  test("the option has two values", async () => {
    const options = { onInvalidItem: "ignore" as "drop" };
    await expect(connect(new RawPeer(), options)).rejects.toThrow(TypeError);
  });

  test.each(all)("%s at %s can be requested with parameters", async (method, _, revision) => {
    const { client, server } = await pinned(revision);
    void (client as Wire).request(method).catch(() => {});
    const { params } = await server.next();
    expect(params).toBeTypeOf("object");
    expect(revision.methods.get(method)!.params!(params)).toBe(true);
  });
});

test("a server with resources that does not know the method for templates has no templates", async () => {
  for (const revision of revisions) {
    const { client, server, errors } = await at(revision);
    const first = client.resourceTemplates().next();
    const listed = client.listResourceTemplates();
    const requested = await server.rest();
    for (const { id, method } of requested) {
      const error = { code: -32601, message: `Unknown: ${method}` };
      server.say({ jsonrpc: "2.0", id, error });
    }
    expect(await first).toEqual({ done: true, value: undefined });
    await expect(listed).rejects.toMatchObject({ code: -32601 });
    expect(errors).toEqual([]);
  }
});
