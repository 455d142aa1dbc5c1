import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createHttpHandler, onExtension } from "@mcp-codegen/universal";
import { listen } from "@mcp-codegen/runtime/http/node";
import {
  CapabilityError,
  customRequest,
  InvalidMessageError,
  RpcError,
} from "@mcp-codegen/runtime";
import { memoryPair } from "../../../runtime/memory/memory-pair.js";
import { connect } from "../client/support/connecting.js";
import { factsOf, McpServer, REVISIONS } from "../server/support/server.js";
import { Talk } from "../server/support/talk.js";
import {
  ExtensionFolder,
  generate,
  type Generated,
  type NotesExtension,
} from "./support/generated.js";

const ID = "io.example/notes";
const declared = { capabilities: { extensions: { [ID]: { shelves: 2 } } } };
const folder = new ExtensionFolder();
let notes: Generated<NotesExtension>;

beforeAll(async () => {
  const { files, problems } = await generate("notes");
  expect(problems).toEqual([]);
  notes = await folder.put(files).import<NotesExtension>();
}, 60_000);
afterAll(() => folder.remove());

function serverWithNotes() {
  const server = new McpServer();
  const shown: string[] = [];
  const { extension } = notes;
  server.registerExtension(extension, {
    settings: { shelves: 9 },
    handlers: {
      "notes/list": (params) => ({
        notes: [{ id: "1", text: String(params?.shelf), replies: [{ id: "2", text: "deep" }] }],
      }),
      "notes/add": async ({ text }, ctx) => {
        await ctx.notify(extension.notifications["notifications/notes/changed"], { shelf: text });
        return { note: { id: "3", text, author: (text === "robot" ? text : "user") as "user" } };
      },
      "notifications/notes/shown": ({ id }) => void shown.push(id),
    },
  });
  server.registerTool("tell", {}, async (ctx) => {
    const notified = extension.notifications["notifications/notes/changed"];
    return ctx.notify(notified, { shelf: "told" }).then(
      () => "told",
      (error: unknown) => `${String(error instanceof CapabilityError)} ${String(error)}`,
    );
  });
  return { server, shown };
}

describe.each(REVISIONS)("a generated extension, in raw messages at %s", (revision) => {
  const { isAlone } = factsOf(revision);

  it("is declared with its settings, and answers clients that declare it (EXT-01, EXT-03, EXT-05)", async () => {
    const { server } = serverWithNotes();
    const talk = await Talk.with(server, revision, declared);
    const { result } = isAlone ? await talk.call("server/discover") : talk.raw.received[0];
    expect(result.capabilities.extensions).toEqual({ [ID]: { shelves: 9 } });
    const listed = await talk.call("notes/list", { shelf: "inbox" });
    const note = { id: "1", text: "inbox", replies: [{ id: "2", text: "deep" }] };
    expect(listed.result).toMatchObject({ notes: [note] });
    expect(notes.validators["ListNotesResult"]!(listed.result)).toBe(isAlone);
    expect((await talk.call("notes/list", {})).result.notes).toHaveLength(1);
    expect(server.reports).toEqual([]);
  });

  it("checks parameters and results by the schema", async () => {
    const { server } = serverWithNotes();
    const talk = await Talk.with(server, revision, declared);
    expect((await talk.call("notes/list", { cursor: 1 })).error).toMatchObject({ code: -32602 });
    const { error } = await talk.call("notes/add", {});
    expect(error.code).toBe(-32602);
    expect(JSON.stringify(error)).toContain("text");
    expect((await talk.call("notes/add", { text: "x", shelf: "other" })).error.code).toBe(-32602);
    expect((await talk.call("notes/add", { text: "robot" })).error.code).toBe(-32603);
    expect(String(server.reports[0])).toContain("author");
  });

  it("sends and receives notifications", async () => {
    const { server, shown } = serverWithNotes();
    const talk = await Talk.with(server, revision, declared);
    expect((await talk.call("notes/add", { text: "x" })).result.note.text).toBe("x");
    expect(talk.notes).toMatchObject([
      { method: "notifications/notes/changed", params: { shelf: "x" } },
    ]);
    if (isAlone) return;
    talk.raw.tell("notifications/notes/shown", { id: "1" });
    talk.raw.tell("notifications/notes/shown", { id: 2 });
    await talk.notifications();
    expect(shown).toEqual(["1"]);
  });

  it("is off for clients that do not declare it, in both directions (EXT-03)", async () => {
    const { server } = serverWithNotes();
    const talk = await Talk.with(server, revision);
    const { error } = await talk.call("notes/list", {});
    expect(error.code).toBe(isAlone ? -32021 : -32601);
    const { content } = await talk.tool("tell");
    expect(content[0].text).toMatch(/^true .*client\.extensions\.io\.example\/notes/);
    expect(await talk.notifications()).toEqual([]);
  });
});

describe.each(REVISIONS)(
  "a generated extension, between a client and a server at %s",
  (revision) => {
    async function connected(serverHasIt = true, options: object = {}) {
      const { server } = serverHasIt ? serverWithNotes() : { server: new McpServer() };
      const changed: string[] = [];
      const used = onExtension(notes.extension, {
        settings: { shelves: 2 },
        handlers: {
          "notifications/notes/changed": ({ shelf }) => void changed.push(shelf),
        },
      });
      const [near, far] = memoryPair();
      await server.fork().connect(far);
      const client = await connect(near, {
        extensions: [used],
        revisions: server.revisions.filter(({ id }) => id === revision),
        ...options,
      });
      return { client, changed, requests: notes.extension.requests };
    }

    it("carries typed requests and notifications", async () => {
      const { client, changed, requests } = await connected();
      expect(client.revision).toBe(revision);
      expect(client.server.capabilities.extensions).toEqual({ [ID]: { shelves: 9 } });
      const { notes: found } = await client.request(requests["notes/list"], { shelf: "a" });
      expect(found).toMatchObject([{ id: "1", text: "a" }]);
      expect((await client.request(requests["notes/list"])).notes).toHaveLength(1);
      const { note } = await client.request(requests["notes/add"], { text: "b" });
      expect(note).toEqual({ id: "3", text: "b", author: "user" });
      expect(changed).toEqual(["b"]);
    });

    it("sends nothing of it to a server that does not declare it (EXT-03)", async () => {
      const { client, requests } = await connected(false);
      const requested = client.request(requests["notes/list"], {});
      await expect(requested).rejects.toThrow(CapabilityError);
      await expect(requested).rejects.toThrow("server.extensions.io.example/notes");
      const notified = client.notify(notes.extension.notifications["notifications/notes/shown"], {
        id: "1",
      });
      await expect(notified).rejects.toThrow(CapabilityError);
    });

    it("is refused by the server for clients that do not declare it (EXT-03)", async () => {
      const { client, requests } = await connected(true, { extensions: [] });
      await expect(client.request(requests["notes/list"], {})).rejects.toThrow(RpcError);
    });
  },
);

const overHttp = REVISIONS.filter((id) => factsOf(id).annotations);

it.each(overHttp)("an extension works over HTTP at %s", async (revision) => {
  const { server } = serverWithNotes();
  const { url, close } = await listen(createHttpHandler(server));
  onTestFinished(() => close(0));
  const changed: unknown[] = [];
  const client = await connect(url, {
    revisions: server.revisions.filter(({ id }) => id === revision),
    extensions: [
      onExtension(notes.extension, {
        handlers: {
          "notifications/notes/changed": ({ shelf }) => void changed.push(shelf),
        },
      }),
    ],
  });
  const { requests } = notes.extension;
  expect((await client.request(requests["notes/list"], { shelf: "a" })).notes).toHaveLength(1);
  await client.request(requests["notes/add"], { text: "b" });
  expect(changed).toEqual(["b"]);
});

describe("extensions of a client", () => {
  it("reject invalid and duplicate ids, and handlers of messages that are never received (EXT-02)", async () => {
    const [near] = memoryPair();
    const { extension } = notes;
    const open = (extensions: object[]) => connect(near, { extensions: extensions as never });
    await expect(open([extension, extension])).rejects.toThrow(/twice/);
    await expect(open([{ id: "notes" }])).rejects.toThrow(/prefix/);
    await expect(open([{ ...extension, handlers: { "notes/list": () => ({}) } }])).rejects.toThrow(
      /is not a message of the extension "io.example\/notes" to a client/,
    );
    const server = new McpServer();
    const handlers = { "notifications/notes/changed": () => {} } as object;
    expect(() => server.registerExtension(extension, { handlers })).toThrow(/to a server/);
  });

  it("have their results checked", async () => {
    const server = new McpServer();
    server.registerExtension(
      { id: ID, requests: { "notes/list": customRequest("notes/list") } },
      { handlers: { "notes/list": () => ({ notes: [{ id: 1 }] }) } },
    );
    const [near, far] = memoryPair();
    await server.connect(far);
    const client = await connect(near, { extensions: [notes.extension] });
    const requested = client.request(notes.extension.requests["notes/list"], {});
    await expect(requested).rejects.toThrow(InvalidMessageError);
    await expect(requested).rejects.toThrow("/notes/0/id");
  });
});
