import {
  connect,
  inputRequired,
  isResourceNotFound,
  ResourceTemplate,
  revisions,
} from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";
import { memoryPair } from "../../runtime/memory/memory-pair.js";
import { RpcError } from "../../runtime/wire/errors.js";
import { factsOf, McpServer, REVISIONS } from "../facade/server/support/server.js";
import { Talk } from "../facade/server/support/talk.js";

const BAD_CONVERSATION = [
  { role: "assistant", content: { type: "tool_use", id: "1", name: "t", input: {} } },
] as const;

const sampling = { capabilities: { sampling: { tools: {} }, roots: {} } };

it("a missing resource is recognised by the code of every revision, and other invalid parameters are not (RES-13)", () => {
  const uri = { uri: "test://none" };
  for (const error of [new RpcError(-32002, "none"), new RpcError(-32602, "none", uri)])
    expect(isResourceNotFound(error)).toBe(true);
  for (const error of [new RpcError(-32602, "none"), new RpcError(-32603, "none", uri)])
    expect(isResourceNotFound(error)).toBe(false);
});

describe.each(REVISIONS)("McpServer at %s", (revision) => {
  const { isAlone, samplingTools, structured, urls } = factsOf(revision);

  it("rejects invalid content instead of sending it (PRM-06, RES-15, RES-16)", async () => {
    const server = new McpServer();
    const picture = { type: "image", data: "not base64!!", mimeType: "image/png" } as const;
    server.registerTool("picture", {}, () => ({ content: [picture] }));
    server.registerPrompt("picture", {}, () => ({
      messages: [{ role: "user", content: { ...picture, data: "aGk=", mimeType: "nonsense" } }],
    }));
    server.registerResource("both", "test://both", {}, () => ({
      contents: [{ uri: "test://both", text: "a", blob: "aGk=" }] as never,
    }));
    server.registerResource(
      "family",
      new ResourceTemplate("test://family/{id}", {
        list: () => [{ uri: "not a uri", name: "odd" }],
      }),
      {},
      () => "",
    );
    const talk = await Talk.with(server, revision);
    for (const [method, params, problem] of [
      ["tools/call", { name: "picture" }, "/content/0/data: expected base64"],
      ["prompts/get", { name: "picture" }, "/messages/0/content/mimeType: expected MIME type"],
      ["resources/read", { uri: "test://both" }, "/contents/0: expected object with just one of"],
      ["resources/list", {}, "/resources/1/uri: expected absolute URI"],
    ] as const) {
      server.reports.length = 0;
      const { error } = await talk.call(method, params);
      expect(error, method).toEqual({ code: -32603, message: "Internal error" });
      expect(server.reports.map(({ message }) => message).join("\n")).toContain(problem);
    }
  });

  it("prevents paths from leaving resource families, unless an option allows it (RES-17)", async () => {
    const server = new McpServer();
    const files = new ResourceTemplate("file:///docs/{+path}");
    server.registerResource("files", files, {}, (uri) => uri.href);
    const open = new ResourceTemplate("test:///open/{+path}", { upwards: true });
    server.registerResource("open", open, {}, () => "open");
    const talk = await Talk.with(server, revision);
    const read = async (uri: string) => talk.call("resources/read", { uri });
    for (const path of ["../../etc/passwd", "%2e%2e/x", "a%2f..%2f..%2fb"]) {
      const { error } = await read(`file:///docs/${path}`);
      expect(isResourceNotFound(new RpcError(error.code, error.message, error.data))).toBe(true);
    }
    expect((await read("file:///docs/a/b")).result.contents[0].text).toBe("file:///docs/a/b");
    expect((await read("test:///open/../x")).result.contents[0].text).toBe("open");
  });

  it("completes arguments with any name", async () => {
    const server = new McpServer();
    const names = ["constructor", "toString", "__proto__"];
    const definition = { arguments: names.map((name) => ({ name })) };
    server.registerPrompt("odd", { ...definition, complete: {} } as never, () => "");
    const talk = await Talk.with(server, revision);
    for (const name of names) {
      const params = { ref: { type: "ref/prompt", name: "odd" }, argument: { name, value: "" } };
      const { error } = await talk.call("completion/complete", params);
      expect(error?.code, name).not.toBe(-32603);
    }
    expect(server.reports).toEqual([]);
  });

  it.runIf(samplingTools)(
    "sends no broken conversation to a model (SAMP-11, SAMP-12)",
    async () => {
      const server = new McpServer();
      const params = { messages: BAD_CONVERSATION, maxTokens: 1, tools: [] } as never;
      server.registerTool("asks", {}, async (ctx) => {
        await ctx.sample(params);
        return "";
      });
      server.registerTool("returns", {}, () =>
        inputRequired({ requests: { one: inputRequired.createMessage(params) } }),
      );
      const talk = await Talk.with(server, revision, sampling);
      for (const name of ["asks", "returns"]) {
        const { result, error } = await talk.call("tools/call", { name });
        expect(error?.code === -32603 || result?.isError, name).toBe(true);
        expect(server.reports.at(-1)?.message).toContain("with the results of all its tool uses");
      }
      expect(talk.asked).toEqual([]);
    },
  );

  it.runIf(urls)("sends no user to an address that is not a web page (ELIC-08)", async () => {
    const server = new McpServer();
    server.registerTool("sends", {}, () =>
      inputRequired({
        requests: {
          one: {
            method: "elicitation/create",
            params: { mode: "url", message: "?", url: "javascript:alert(1)", elicitationId: "1" },
          },
        },
      }),
    );
    const answers = { "elicitation/create": () => ({ action: "accept" }) };
    const talk = await Talk.with(server, revision, { answers });
    const { result, error } = await talk.call("tools/call", { name: "sends" });
    expect(error?.code === -32603 || result?.isError).toBe(true);
    expect(server.reports.at(-1)?.message).toContain("url: expected http: or https: URL");
    expect(talk.asked).toEqual([]);
  });

  it.runIf(structured)(
    "adds the JSON of structured content to other content (TOOL-17)",
    async () => {
      const server = new McpServer();
      server.registerTool("both", {}, () => ({
        content: [{ type: "text", text: "three" }],
        structuredContent: { sum: 3 },
      }));
      const talk = await Talk.with(server, revision);
      const { content } = await talk.tool("both");
      expect(content.map(({ text }: { text: string }) => text)).toEqual(["three", '{"sum":3}']);
    },
  );

  it("rejects invalid roots of the client (ROOT-03, ROOT-06)", async () => {
    const server = new McpServer();
    server.registerTool("roots", {}, async (ctx) => {
      const { roots } = await ctx.listRoots();
      return JSON.stringify(roots);
    });
    const errors: Error[] = [];
    for (const uri of ["https://evil/../x", "file:///a/../b"]) {
      const [one, other] = memoryPair();
      await server.fork().connect(other);
      const client = await connect(one, {
        revisions: revisions.filter(({ id }) => id === revision),
        onRoots: () => [{ uri }],
        onerror: (error: Error) => void errors.push(error),
      } as never);
      const answer = client.callTool({ name: "roots" }).then(
        (result) => result.isError,
        () => true,
      );
      expect(await answer).toBe(true);
      await client.close();
    }
    const texts = [...errors, ...server.reports].map(({ message }) => message).join("\n");
    if (!isAlone) expect(texts).toContain("/roots/0/uri: expected file:// URI");
  });
});
