import { onTestFinished } from "vitest";
import { revision as r20251125 } from "../../../../../generated/2025-11-25/methods.js";
import { revision as r20260728 } from "../../../../../generated/2026-07-28/methods.js";
import { Tools } from "../../../../../runtime/features/index.js";
import type { HandlerContext } from "../../../../../runtime/api/handlers.js";
import {
  createHttpHandler,
  type HttpHandler,
  type HttpHandlerOptions,
} from "../../../../../runtime/http/server/index.js";
import { listen } from "../../../../../runtime/http/node/index.js";
import type { ServerOptions } from "../../../../../runtime/api/options.js";
import type { Revision } from "../../../../../runtime/wire/revision/revision.js";
import { serverOfAnyKind } from "../../../../../runtime/negotiation/index.js";
import { ServerBase } from "../../../../../runtime/engine/index.js";

export const STATELESS: readonly Revision[] = [r20260728];
export const BOTH: readonly Revision[] = [r20260728, r20251125];

/** Lets a test decide when something happens. */
export class Gate {
  readonly passed: Promise<void>;
  open!: () => void;

  constructor() {
    this.passed = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}

type Server = ServerBase<object, object, object, { name: string; version: string }>;

const text = (value: unknown): object => ({ content: [{ type: "text", text: String(value) }] });

/** A server on a real socket, with access to its internals. */
export class Served {
  url = "";
  handler!: HttpHandler;
  readonly errors: Error[] = [];
  readonly called: string[] = [];
  readonly aborted: string[] = [];
  gate = new Gate();
  readonly tools: Tools = new Tools({ schemas: "unchecked" });
  readonly server: Server;

  constructor(revisions: readonly Revision[], options: ServerOptions = {}) {
    this.#addTools();
    this.server = new ServerBase(
      revisions,
      { name: "served", version: "1" },
      {
        "resources/list": () => ({ resources: [] }),
        "resources/read": ({ uri }: { uri: string }) => ({
          contents: [{ uri: new URL(uri).href, text: "read" }],
        }),
        "prompts/list": () => ({ prompts: [] }),
        "prompts/get": ({ name }: { name: string }) => ({
          messages: [{ role: "user", content: { type: "text", text: name } }],
        }),
      },
      {
        features: [this.tools],
        capabilities: { logging: {} },
        onerror: (error) => void this.errors.push(error),
        ...options,
      },
      serverOfAnyKind,
    );
  }

  async listen(options: HttpHandlerOptions = {}): Promise<this> {
    this.handler = createHttpHandler(this.server, {
      onerror: (error) => void this.errors.push(error),
      ...options,
    });
    const { url, close } = await listen(this.handler);
    onTestFinished(() => close(0));
    this.url = url;
    return this;
  }

  #add(
    name: string,
    work: (context: HandlerContext, args: never) => unknown,
    properties = {},
  ): void {
    this.tools.add({ name, inputSchema: { type: "object", properties } }, ((
      args: never,
      context: HandlerContext,
    ) => {
      this.called.push(name);
      return work(context, args);
    }) as never);
  }

  #addTools(): void {
    this.#add("echo", (_, args) => text(JSON.stringify(args)));
    this.#add("who", ({ auth, id, header }) =>
      text(JSON.stringify([auth?.principal, id, header("X-Test")])),
    );
    this.#add("wait", async ({ signal }) => {
      signal.addEventListener("abort", () => this.aborted.push("wait"));
      await this.gate.passed;
      return text("waited");
    });
    this.#add("tell-and-wait", async ({ signal, notify }) => {
      signal.addEventListener("abort", () => this.aborted.push("tell-and-wait"));
      await say(notify, "first");
      await this.gate.passed;
      await say(notify, "second");
      return text("told");
    });
    this.#add("steps", async ({ progress }) => {
      for (let step = 1; step <= 3; step++) {
        progress(step);
        // Reports that come faster are throttled.
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
      return text("done");
    });
    this.#add("fail", () => {
      throw new Error("a secret of /home/me");
    });
    this.#add("route", (_, args) => text(JSON.stringify(args)), {
      region: { type: "string", "x-mcp-header": "Region" },
      priority: { type: "integer", "x-mcp-header": "Priority" },
      urgent: { type: "boolean", "x-mcp-header": "Urgent" },
      note: { type: "string" },
      place: {
        type: "object",
        properties: { city: { type: "string", "x-mcp-header": "City" } },
      },
    });
  }
}

export function serveStateless(options?: HttpHandlerOptions): Promise<Served> {
  return new Served(STATELESS).listen(options);
}

export function serveBoth(options?: HttpHandlerOptions): Promise<Served> {
  return new Served(BOTH).listen(options);
}

function say(notify: HandlerContext["notify"], data: unknown): Promise<void> {
  const send = notify as unknown as (method: string, params: object) => Promise<void>;
  return send("notifications/message", { level: "info", data });
}
