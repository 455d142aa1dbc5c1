import { onTestFinished } from "vitest";
import { McpServer, ResourceTemplate, revisions } from "../../../../generated/universal/index.js";
import { z } from "zod";
import { MemoryBus } from "../../../../runtime/api/bus.js";
import {
  createHttpHandler,
  type HttpHandler,
  type HttpHandlerOptions,
  type ServerInstance,
} from "../../../../runtime/http/server/index.js";
import { memoryStores } from "@mcp-codegen/testing/stores";
import {
  type SharedStores,
  SharedSessions,
} from "../../../../runtime/http/server/sharing/index.js";
import { initialize, RawClient } from "../../server/serve.js";
import { Gate } from "../../server/toy-server.js";

/** Revisions with sessions. */
export const REVISIONS: readonly string[] = revisions
  .map(({ id }) => id)
  .filter((id) => id !== "2026-07-28");

/** Stores that can become unreachable, and an instance whose signs of life can stop. */
export class Shared {
  isAway = false;
  /** True while the stores do not respond at all. */
  isSilent = false;
  /** The names of instances that have stopped working from the others' point of view. */
  readonly dead = new Set<string>();
  readonly stores: SharedStores;

  constructor(stores: SharedStores = memoryStores()) {
    this.stores = {
      sessions: this.#guarded(stores.sessions),
      streams: this.#guarded(stores.streams),
      mail: this.#guarded({
        beat: async (name: string, lease: number) => {
          return this.dead.has(name) ? undefined : stores.mail.beat(name, lease);
        },
        leave: (name: string) => stores.mail.leave(name),
        isAlive: (name: string) => stores.mail.isAlive(name),
        send: (to: string, text: string) => stores.mail.send(to, text),
        sendAll: (text: string, from: string) => stores.mail.sendAll(text, from),
        receive: (name: string, listener: (text: string) => void) =>
          stores.mail.receive(name, listener),
      }),
    };
  }

  #guarded<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => {
          const isCall = name !== "watch" && name !== "receive";
          if (this.isSilent && isCall) return new Promise(() => {});
          if (this.isAway && isCall)
            return Promise.reject(new Error("ECONNREFUSED redis.internal"));
          return (member as (...all: unknown[]) => unknown).apply(target, given);
        };
      },
    });
  }
}

/** One of several instances of a server, each with its own objects. */
export interface Instance {
  readonly handler: HttpHandler;
  readonly server: McpServer;
  readonly sessions: SharedSessions;
  /** Tools that were called, and what was aborted. */
  readonly called: string[];
  readonly aborted: string[];
  readonly errors: Error[];
  gate: Gate;
}

export interface InstancesOptions {
  readonly shared?: Shared;
  readonly lease?: number;
  /** The time that the stores may take, in milliseconds. */
  readonly timeout?: number;
  readonly http?: HttpHandlerOptions;
}

export function instances(count: number, options: InstancesOptions = {}): Instance[] {
  const { shared = new Shared() } = options;
  const bus = new MemoryBus();
  const made = Array.from({ length: count }, () => instance(shared, bus, options));
  onTestFinished(async () => {
    shared.isAway = shared.isSilent = false;
    await Promise.all(made.map(({ handler }) => handler.close(0)));
  });
  return made;
}

function instance(
  shared: Shared,
  bus: MemoryBus,
  { lease = 15_000, timeout = 300, http = {} }: InstancesOptions,
): Instance {
  const errors: Error[] = [];
  const onerror = (error: Error): void => void errors.push(error);
  const server = new McpServer(
    { name: "one-of-several", version: "1.0.0" },
    { bus, logging: true, onerror },
  );
  const sessions = new SharedSessions(shared.stores, { lease, timeout, onerror });
  const handler = createHttpHandler(server as unknown as ServerInstance, {
    sessions,
    onerror,
    ...http,
  });
  const one: Instance = {
    handler,
    server,
    sessions,
    called: [],
    aborted: [],
    errors,
    gate: new Gate(),
  };
  server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => text);
  server.registerTool("wait", {}, async (ctx) => {
    one.called.push("wait");
    ctx.signal.addEventListener("abort", () => one.aborted.push("wait"));
    ctx.progress(1);
    await one.gate.passed;
    return "waited";
  });
  server.registerTool("ask", {}, async (ctx) => {
    const { roots } = await ctx.listRoots();
    return String(roots.length);
  });
  server.registerTool("ask-for-long", {}, async (ctx) => {
    const reports: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void reports.push(progress);
    await ctx.listRoots({ onprogress });
    return reports.join(" ");
  });
  server.registerTool("log", {}, (ctx) => {
    ctx.log("debug", "in detail");
    return "logged";
  });
  const template = new ResourceTemplate("news:///{id}", { list: undefined });
  server.registerResource("news", template, {}, () => "news");
  return one;
}

/** An initialized client; `at` selects the instance for its next requests. */
export class RoamingClient {
  readonly #clients: readonly RawClient[];
  readonly headers: Record<string, string>;

  constructor(all: readonly Instance[], headers: Record<string, string> = {}) {
    this.headers = headers;
    this.#clients = all.map(({ handler }) => {
      const url = "http://localhost/mcp";
      const fetched = (init?: RequestInit) => handler(new Request(url, init));
      const client = new RawClient({ name: "web", url, handler, fetch: fetched });
      client.headers = this.headers;
      return client;
    });
  }

  /** Initializes with the first instance, and sends the `initialized` notification to the second. */
  async open(revision: string): Promise<this> {
    const [first, second] = this.#clients as [RawClient, RawClient];
    const response = await first.post(initialize(revision));
    await response.text();
    this.headers["Mcp-Session-Id"] = response.headers.get("mcp-session-id")!;
    this.headers["MCP-Protocol-Version"] = revision;
    await (await second.post({ jsonrpc: "2.0", method: "notifications/initialized" })).text();
    return this;
  }

  at(index: number): RawClient {
    return this.#clients[index]!;
  }
}
