import { completable as completableV1 } from "@modelcontextprotocol/sdk/server/completable.js";
import {
  McpServer as ServerV1,
  ResourceTemplate as TemplateV1,
} from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  CreateMessageResultSchema,
  CreateMessageResultWithToolsSchema,
  ElicitResultSchema,
  ListRootsResultSchema,
  RootsListChangedNotificationSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import {
  completable as completableV2,
  McpServer as ServerV2,
  ResourceTemplate as TemplateV2,
} from "@modelcontextprotocol/server";
import * as z from "zod";

const capabilities = {
  logging: {},
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
};
const options = { capabilities, instructions: "Try them all." };

/** The operations of a tool call, for every generation of the SDK. */
interface Conversation {
  readonly signal: AbortSignal;
  readonly token: unknown;
  ask(method: string, params: object): Promise<unknown>;
  tell(method: string, params: object): Promise<void>;
}

type Call = (args: never, conversation: Conversation) => unknown;

/** The parts of both generations that are needed to register everything. */
interface Registrar {
  tool(name: string, shape: Record<string, z.ZodType>, call: Call, output?: object): void;
  update(uri: string): Promise<void>;
  changeTools(): void;
  rootsHeard(): number;
}

const text = (value: unknown) => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});

const sum = ({ a, b }: { a: number; b: number }) => ({
  ...text(a + b),
  structuredContent: { sum: a + b },
});

function register(registrar: Registrar): void {
  const { tool } = registrar;
  tool("echo", { value: z.string() }, ({ value }: { value: string }) => text(value));
  tool("fail", {}, () => {
    throw new Error("as asked");
  });
  tool("sum", { a: z.number(), b: z.number() }, sum, z.object({ sum: z.number() }));
  const message = { method: z.string(), params: z.record(z.string(), z.any()) };
  tool("ask", message, async ({ method, params }: { method: string; params: object }, { ask }) =>
    text(await ask(method, params)),
  );
  tool(
    "tell",
    message,
    async ({ method, params }: { method: string; params: object }, { tell }) => {
      await tell(method, params);
      return text("told");
    },
  );
  tool("progress", { steps: z.number() }, async ({ steps }: { steps: number }, { token, tell }) => {
    for (let progress = 1; progress <= steps; progress += 1) {
      await tell("notifications/progress", { progressToken: token, progress, total: steps });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return text("done");
  });
  tool("wait", {}, (_args, { signal }) => {
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
    });
  });
  tool("update", { uri: z.string() }, async ({ uri }: { uri: string }) => {
    await registrar.update(uri);
    return text("updated");
  });
  tool("change", {}, () => {
    registrar.changeTools();
    return text("changed");
  });
  tool("roots-heard", {}, () => text(String(registrar.rootsHeard())));
}

/** Contents, a template and a prompt, with the same texts for both. */
const note = ({ href }: URL) => ({ contents: [{ uri: href, text: "remember" }] });
const item = ({ href }: URL) => ({ contents: [{ uri: href, text: "an item" }] });
const greeting = ({ name }: { name: string }) => ({
  messages: [{ role: "user" as const, content: { type: "text" as const, text: `Hello ${name}` } }],
});
const names = (value: string) => ["Ada", "Adele", "Bob"].filter((one) => one.startsWith(value));
const list = undefined;

export function everythingV1(): ServerV1 {
  const server = new ServerV1({ name: "sdk 1.32", version: "1.0.0" }, options);
  let received = 0;
  const results: Record<string, z.ZodType> = {
    "sampling/createMessage": CreateMessageResultSchema,
    "roots/list": ListRootsResultSchema,
    "elicitation/create": ElicitResultSchema,
  };
  register({
    tool: (name, shape, call, outputSchema) => {
      const config = { inputSchema: shape, ...(outputSchema && { outputSchema }) };
      server.registerTool(
        name,
        config as never,
        (async (args: never, extra: Extra) =>
          call(args, {
            signal: extra.signal,
            token: extra["_meta"]?.progressToken,
            ask: (method, params) => {
              const hasTools = "tools" in params;
              const schema = hasTools ? CreateMessageResultWithToolsSchema : results[method]!;
              return extra.sendRequest({ method, params }, schema);
            },
            tell: (method, params) => extra.sendNotification({ method, params }),
          })) as never,
      );
    },
    update: (uri) => server.server.sendResourceUpdated({ uri }),
    changeTools: () => server.sendToolListChanged(),
    rootsHeard: () => received,
  });
  server.registerResource("note", "note://1", {}, note);
  const complete = { id: names };
  server.registerResource("item", new TemplateV1("item://{id}", { list, complete }), {}, item);
  server.registerPrompt(
    "greet",
    { argsSchema: { name: completableV1(z.string(), names) } },
    greeting,
  );
  const { server: low } = server;
  low.setRequestHandler(SubscribeRequestSchema, () => ({}));
  low.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  low.setNotificationHandler(RootsListChangedNotificationSchema, () => void (received += 1));
  return server;
}

export function everythingV2(): ServerV2 {
  const server = new ServerV2({ name: "sdk 2.4", version: "2.0.0" }, options);
  let received = 0;
  register({
    tool: (name, shape, call, outputSchema) => {
      const config = { inputSchema: z.object(shape), ...(outputSchema && { outputSchema }) };
      server.registerTool(
        name,
        config as never,
        (async (args: never, { mcpReq }: ContextV2) =>
          call(args, {
            signal: mcpReq.signal,
            token: mcpReq["_meta"]?.progressToken,
            ask: (method, params) => mcpReq.send({ method, params }),
            tell: (method, params) => mcpReq.notify({ method, params }),
          })) as never,
      );
    },
    update: (uri) => server.server.sendResourceUpdated({ uri }),
    changeTools: () => server.sendToolListChanged(),
    rootsHeard: () => received,
  });
  server.registerResource("note", "note://1", {}, note);
  const complete = { id: names };
  server.registerResource("item", new TemplateV2("item://{id}", { list, complete }), {}, item);
  const argsSchema = z.object({ name: completableV2(z.string(), names) });
  server.registerPrompt("greet", { argsSchema }, greeting);
  const { server: low } = server;
  low.setRequestHandler("resources/subscribe", () => ({}));
  low.setRequestHandler("resources/unsubscribe", () => ({}));
  low.setNotificationHandler("notifications/roots/list_changed", () => void (received += 1));
  return server;
}

interface Extra {
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: unknown };
  sendRequest(request: object, schema: z.ZodType): Promise<unknown>;
  sendNotification(notification: object): Promise<void>;
}

interface ContextV2 {
  readonly mcpReq: {
    readonly signal: AbortSignal;
    readonly _meta?: { readonly progressToken?: unknown };
    send(request: object): Promise<unknown>;
    notify(notification: object): Promise<void>;
  };
}
