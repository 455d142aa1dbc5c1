import { describe, expect, it } from "vitest";
import { RpcError } from "../../runtime/wire/errors.js";
import {
  Completions,
  Prompts,
  Resources,
  type SchemaCompiler,
  Tools,
} from "../../runtime/features/index.js";
import { jsonSchemas } from "../../runtime/json-schema/index.js";
import { Tasks } from "../../runtime/tasks/tasks.js";
import { connected, handshakes, having } from "./support/revisions.js";
import { any, failure, isStructured, sum, text, twoNumbers } from "./support/tools.js";

const newest = handshakes.at(-1)![1];
const info = { name: "test", version: "1" };
const serve = (features: unknown, options: object = {}) =>
  new newest.Server(info, {}, { features, ...options });

describe("a result of a tool", () => {
  it.each(handshakes.filter(([, revision]) => isStructured(revision)))(
    "has structured content although its outputSchema has no constraints, at %s (TOOL-18)",
    async (_, revision) => {
      const tools = new Tools();
      tools.add({ name: "bare", inputSchema: any, outputSchema: any }, () => text("only text"));
      tools.add({ name: "failed", inputSchema: any, outputSchema: any }, () => ({
        ...text("no"),
        isError: true,
      }));
      const { client, errors } = await connected(revision, { features: [tools] });
      const call = (name: string) => client.request("tools/call", { name });
      expect((await failure(call("bare"))).code).toBe(-32603);
      expect(errors[0]?.message).toMatch(/"bare".*outputSchema.*there is none/);
      expect(await call("failed")).toMatchObject({ isError: true });
    },
  );

  it.each(handshakes)(
    "is reported with the name of the tool if it is invalid, at %s",
    async (_, one) => {
      const tools = new Tools();
      tools.add({ name: "odd", inputSchema: any }, () => ({ content: [{ type: "video" }] }));
      const prompts = new Prompts();
      prompts.add({ name: "strange" }, () => ({ messages: 1 }));
      const { client, errors } = await connected(one, { features: [tools, prompts] });
      await failure(client.request("tools/call", { name: "odd" }));
      await failure(client.request("prompts/get", { name: "strange" }));
      expect(errors.map(({ message }) => message)).toEqual([
        expect.stringContaining('tools/call returned an invalid result for "odd": /content/0'),
        expect.stringContaining('prompts/get returned an invalid result for "strange": /messages'),
      ]);
    },
  );

  it("is reported with the name of the tool if it is invalid, as a task", async () => {
    const tools = new Tools();
    const execution = { taskSupport: "required" } as const;
    tools.add({ name: "odd", inputSchema: any, execution }, () => ({ content: 1 }));
    const { client, errors } = await connected(newest, { features: [tools, new Tasks()] });
    const { task } = await client.request("tools/call", { name: "odd", task: {} });
    await failure(client.request("tasks/result", { taskId: task.taskId }));
    expect(errors[0]?.message).toContain('invalid result for "odd"');
  });
});

describe("an error of the client in response to a tool's request", () => {
  const handlers = {
    "sampling/createMessage": () => {
      throw new RpcError(-1, "The user rejected the request", { secret: 1 });
    },
  };
  const question = { messages: [], maxTokens: 1 };

  async function call(rethrow: boolean) {
    const tools = new Tools();
    tools.add({ name: "ask", inputSchema: any }, async (_args, { request }) => {
      try {
        return await (request as (...call: unknown[]) => Promise<object>)(
          "sampling/createMessage",
          question,
        );
      } catch (error) {
        const { code, message } = error as RpcError;
        throw rethrow ? new RpcError(code, message) : error;
      }
    });
    const all = await connected(newest, { features: [tools] }, { handlers });
    return { ...all, answer: all.client.request("tools/call", { name: "ask" }) };
  }

  it("fails the tool and is not its response", async () => {
    const { answer, errors } = await call(false);
    expect(await answer).toEqual({ ...text('The tool "ask" failed'), isError: true });
    expect(errors.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('failed in the tool "ask": The user rejected the request'),
    );
  });

  it("is the response if the tool throws it again", async () => {
    const { answer } = await call(true);
    expect(await failure(answer)).toMatchObject({ code: -1, data: undefined });
  });
});

describe("an impossible definition is rejected:", () => {
  it("completions that only Resources declares", () => {
    const completions = new Completions();
    const make = () => new Resources({ completions });
    expect(() => serve([make()])).toThrow(/features: \[resources, completions\]/);
    expect(() => serve([completions, make()])).not.toThrow();
    const own = { source: () => undefined };
    expect(() => serve([new Resources({ completions: own })])).not.toThrow();
  });

  it("completers of unknown variables", () => {
    const completions = new Completions();
    const complete = { idd: () => [] };
    const message = /"test:\{id\}\{\/rest\}" has no variable "idd" to complete: .* id, rest/;
    const resources = new Resources({ completions });
    const add = () =>
      resources.addTemplate({ uriTemplate: "test:{id}{/rest}", name: "a" }, () => undefined, {
        complete,
      });
    expect(add).toThrow(TypeError);
    expect(add).toThrow(message);
    const known = { complete: { id: undefined } };
    resources.addTemplate({ uriTemplate: "test:{id}", name: "b" }, () => undefined, known);
  });

  it("a feature of the other side, by name", () => {
    expect(() => new newest.Client(info, {}, { features: [new Tools()] })).toThrow(
      /^Tools is not for a client: "tools\/list" is not a message that a client/,
    );
  });

  it("a tool without a handler", () => {
    const add = new Tools().add as (...args: unknown[]) => unknown;
    const tools = new Tools();
    expect(() => add.call(tools, { name: "a", inputSchema: any }, undefined)).toThrow(
      new TypeError('The handler of the tool "a" is not a function'),
    );
    expect(tools.definitions).toEqual([]);
  });

  it("invalid schemas, also as an uncalled function", () => {
    expect(() => new Tools({ schemas: "none" as "unchecked" })).toThrow(/jsonSchemas\(\)/);
    const tools = new Tools({ schemas: jsonSchemas as unknown as SchemaCompiler });
    for (const inputSchema of [any, twoNumbers]) {
      expect(() => tools.add({ name: "a", inputSchema }, () => text(""))).toThrow(
        /inputSchema of "a".*schemas: jsonSchemas\(\)/,
      );
    }
    expect(() =>
      new Tools({ schemas: jsonSchemas() }).add({ name: "a", inputSchema: sum }, () => text("")),
    ).not.toThrow();
  });

  it("invalid options, handlers and info", () => {
    const { Client, Server } = newest as unknown as Record<
      string,
      new (...all: unknown[]) => object
    >;
    expect(() => serve(new Tools())).toThrow(
      new TypeError("features must be an array: features: [one]"),
    );
    expect(() => serve([], { middleware: () => 1 })).toThrow("middleware must be an array");
    expect(() => new Server!()).toThrow("serverInfo must be an object: { name, version }");
    expect(() => new Client!("me")).toThrow("clientInfo must be an object: { name, version }");
    expect(() => new Server!(info, [new Tools()])).toThrow(
      /must be objects: new Server\(info, \{\}/,
    );
    expect(() => new Server!(info, null)).toThrow(TypeError);
  });
});

describe("a tool that needs a task on a server without tasks", () => {
  const tool = {
    name: "slow",
    inputSchema: any,
    execution: { taskSupport: "required" },
  } as const;

  it.each(handshakes)("is reported at %s if that has tasks", async (_, revision) => {
    const tools = new Tools();
    const registered = tools.add(tool, () => text(""));
    tools.add({ ...tool, name: "removed" }, () => text("")).remove();
    const { errors } = await connected(revision, { features: [tools] });
    registered.remove();
    tools.add(tool, () => text(""));
    const message = expect.stringMatching(
      /^Clients of 2025-11-25 .*"slow".*serverTasks.*add Tasks/,
    );
    const one = expect.objectContaining({ message });
    expect(errors).toEqual(revision.revision.traits.tasks ? [one, one] : []);
  });

  it("is accepted together with Tasks", async () => {
    const tools = new Tools();
    tools.add(tool, () => text(""));
    const { errors } = await connected(newest, { features: [tools, new Tasks()] });
    expect(errors).toEqual([]);
  });
});

describe("completion", () => {
  it("ignores a URI that is longer than resources allow", async () => {
    const completions = new Completions();
    const resources = new Resources({ completions, maxUriLength: 20 });
    const complete = { id: () => ["a"] };
    const template = { uriTemplate: "test:{id}", name: "a" };
    resources.addTemplate(template, () => undefined, { complete });
    const { client } = await connected(newest, { features: [resources, completions] });
    const completed = (uri: string) =>
      client.request("completion/complete", {
        ref: { type: "ref/resource", uri },
        argument: { name: "id", value: "" },
      });
    expect(await completed(`test:${"x".repeat(15)}`)).toMatchObject({
      completion: { values: ["a"] },
    });
    expect((await failure(completed(`test:${"x".repeat(16)}`))).code).toBe(-32602);
  });

  it.each(having("completion/complete"))(
    "passes on other arguments at %s if the revision has them",
    async (id, revision) => {
      const completions = new Completions();
      const seen: unknown[] = [];
      completions.source(() => ({
        a: (_value, call) => {
          seen.push(call.arguments);
          return [];
        },
      }));
      const { client } = await connected(revision, { features: [completions] });
      await client.request("completion/complete", {
        ref: { type: "ref/prompt", name: "p" },
        argument: { name: "a", value: "" },
        context: { arguments: { b: "1" } },
      });
      expect(seen).toEqual([id >= "2025-06-18" ? { b: "1" } : undefined]);
    },
  );
});
