import { deepStrictEqual, match } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { McpClient } from "@mcp-codegen/universal";
import type { clientTasks } from "@mcp-codegen/universal/tasks";

/** A client in front of a middle, and what it can see of the server behind it. */
export interface Peer {
  readonly client: McpClient;
  readonly tasks: ReturnType<typeof clientTasks>;
  /** The lines that the server's handlers have written. */
  effects(): readonly string[];
}

export type Group = "plain" | "on the way" | "questions" | "more";

/** One kind of message, and what a client receives if a middle passes it on. */
export interface Case {
  readonly name: string;
  readonly group: Group;
  /** The oldest revision that has it. */
  readonly since?: string;
  /** Returns true if it exists for a pair of revisions; by default, it exists for all pairs that have it. */
  readonly between?: (down: string, up: string) => boolean;
  /** The tool whose handler it runs: once, and once more for each of a stateless server's questions. */
  readonly tool?: string;
  readonly questions?: number;
  /**
   * Runs the case.
   *
   * @throws Error that says what is wrong
   */
  run(peer: Peer): Promise<void>;
}

const FORMS = "2025-06-18";
const PAGES = "2025-11-25";

/** Waits until a value is there. */
async function eventually(isThere: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 3000;
  while (!isThere()) {
    if (performance.now() > deadline) throw new Error(`no ${what} arrived`);
    await delay(10);
  }
}

interface Called {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

async function call({ client }: Peer, name: string, args: object = {}): Promise<Called> {
  return (await client.callTool({ name, arguments: args } as never)) as Called;
}

/** Calls a tool and compares the text of its result. */
async function says(peer: Peer, name: string, text: string, args: object = {}): Promise<void> {
  const { content, isError } = await call(peer, name, args);
  const said = content?.map((block) => block.text ?? block.type).join(" ");
  if (isError) throw new Error(`an error: ${said}`);
  deepStrictEqual(said, text);
}

const asks = (name: string, tool: string, text: string, since?: string, questions = 1): Case => ({
  name,
  group: "questions",
  ...(since && { since }),
  tool,
  questions,
  run: (peer) => says(peer, tool, text),
});

export const CASES: readonly Case[] = [
  {
    name: "lists, page by page",
    group: "plain",
    async run({ client }) {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.request("tools/list", cursor === undefined ? {} : { cursor });
        names.push(...page.tools.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      deepStrictEqual([names.length, new Set(names).size], [20, 20]);
    },
  },
  {
    name: "call",
    group: "plain",
    tool: "echo",
    run: (one) => says(one, "echo", "hi", { text: "hi" }),
  },
  {
    name: "structured result",
    group: "plain",
    since: FORMS,
    tool: "add",
    async run(peer) {
      const { structuredContent } = await call(peer, "add", { a: 1, b: 2 });
      deepStrictEqual(structuredContent, { sum: 3 });
    },
  },
  {
    name: "image",
    group: "plain",
    tool: "image",
    async run(peer) {
      const { content } = await call(peer, "image");
      deepStrictEqual(content, [{ type: "image", data: "aGk=", mimeType: "image/png" }]);
    },
  },
  {
    name: "audio",
    group: "plain",
    since: "2025-03-26",
    tool: "audio",
    async run(peer) {
      const { content } = await call(peer, "audio");
      deepStrictEqual(content, [{ type: "audio", data: "aGk=", mimeType: "audio/wav" }]);
    },
  },
  {
    name: "result with isError",
    group: "plain",
    tool: "fail",
    async run(peer) {
      const { isError, content } = await call(peer, "fail");
      deepStrictEqual([isError, content?.[0]?.text], [true, "no luck"]);
    },
  },
  {
    name: "error with code and data",
    group: "plain",
    tool: "refuse",
    async run(peer) {
      const error: unknown = await call(peer, "refuse").catch((failure: unknown) => failure);
      const { code, data } = error as { readonly code?: unknown; readonly data?: unknown };
      deepStrictEqual([code, data], [-31_999, { why: "because" }]);
    },
  },
  {
    name: "`_meta` of a call",
    group: "plain",
    tool: "meta",
    async run({ client }) {
      const meta = { "acme/key": 7 };
      const { content } = await client.callTool({ name: "meta", arguments: {}, _meta: meta });
      deepStrictEqual(content, [{ type: "text", text: "7" }]);
    },
  },
  {
    name: "resource",
    group: "plain",
    async run({ client }) {
      const { contents } = await client.readResource("notes://motd");
      match(JSON.stringify(contents), /Be kind/);
    },
  },
  {
    name: "resource template",
    group: "plain",
    async run({ client }) {
      const { resourceTemplates } = await client.listResourceTemplates();
      deepStrictEqual(resourceTemplates.length, 1);
      match(JSON.stringify((await client.readResource("notes://users/7")).contents), /Ada/);
    },
  },
  {
    name: "prompt",
    group: "plain",
    async run({ client }) {
      match(JSON.stringify(await client.getPrompt("greet", { who: "Ada" })), /Hello Ada/);
    },
  },
  {
    name: "completion",
    group: "plain",
    async run({ client }) {
      const { completion } = await client.complete({
        ref: { type: "ref/prompt", name: "greet" },
        argument: { name: "who", value: "" },
      });
      deepStrictEqual(completion.values, ["Ada", "Bob"]);
    },
  },
  {
    name: "progress",
    group: "on the way",
    tool: "progress",
    async run({ client }) {
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
      await client.callTool("progress", {}, { onprogress });
      deepStrictEqual(seen, [1]);
    },
  },
  {
    name: "cancellation",
    group: "on the way",
    async run({ client, effects }) {
      const stop = new AbortController();
      const called = client.callTool("wait", {}, { signal: stop.signal }).catch(() => {});
      await eventually(() => effects().includes("wait"), "call");
      stop.abort();
      await called;
      await eventually(() => effects().includes("cancelled"), "cancellation");
    },
  },
  {
    name: "log",
    group: "on the way",
    tool: "log",
    async run(peer) {
      const seen: unknown[] = [];
      peer.client.on("log", ({ data }) => seen.push(data));
      await peer.client.setLogLevel("info");
      await says(peer, "log", "logged");
      await eventually(() => seen.includes("a line"), "log message");
    },
  },
  {
    name: "changed list",
    group: "on the way",
    async run(peer) {
      let count = 0;
      await peer.client.on("toolsChanged", () => (count += 1)).ready;
      await says(peer, "change", "changed");
      await eventually(() => count > 0, "notification");
    },
  },
  {
    name: "changed resource",
    group: "on the way",
    async run(peer) {
      const seen: string[] = [];
      await peer.client.subscribe("notes://motd", (uri) => seen.push(uri));
      await says(peer, "touch", "touched");
      await eventually(() => seen.includes("notes://motd"), "notification");
    },
  },
  asks("form", "form", "accept 42", FORMS),
  asks("two forms in a call", "two-forms", "accept accept", FORMS, 2),
  asks("web page", "page", "accept", PAGES),
  asks("sampling", "sample", "Paris"),
  asks("sampling with tools", "sample-tools", "Paris", PAGES),
  asks("roots", "roots", "file:///work"),
  {
    name: "task",
    group: "more",
    since: PAGES,
    between: (down, up) => down === up,
    tool: "bake",
    async run({ tasks }) {
      const baking = await tasks.startTool("bake");
      match(JSON.stringify(await baking.result()), /a cake/);
    },
  },
  {
    name: "only members of the client's revision",
    group: "more",
    between: (down, up) => down < FORMS && up >= FORMS,
    async run(peer) {
      const { tools } = await peer.client.request("tools/list", {});
      const listed = tools.filter((tool) => "outputSchema" in tool);
      if (listed.length > 0) throw new Error("`outputSchema` in a list");
      const added = await call(peer, "add", { a: 1, b: 2 });
      if ("structuredContent" in added) throw new Error("`structuredContent` in a result");
    },
  },
];

/** Returns true if a case exists for a pair of revisions. */
export function exists({ since = "", between }: Case, down: string, up: string): boolean {
  return down >= since && up >= since && (between?.(down, up) ?? true);
}
