import { revision as r20241105 } from "../../../generated/2024-11-05/methods.js";
import { revision as r20250326 } from "../../../generated/2025-03-26/methods.js";
import { revision as r20250618 } from "../../../generated/2025-06-18/methods.js";
import { revision as r20251125 } from "../../../generated/2025-11-25/methods.js";
import type { HandlerContext } from "../../../runtime/api/handlers.js";
import type { ServerOptions } from "../../../runtime/api/options.js";
import type { Revision } from "../../../runtime/wire/revision/revision.js";
import { ServerBase } from "../../../runtime/engine/index.js";
import { serverHandshake } from "../../../runtime/session/index.js";

export const REVISIONS: Readonly<Record<string, Revision>> = {
  "2025-11-25": r20251125,
  "2025-06-18": r20250618,
  "2025-03-26": r20250326,
  "2024-11-05": r20241105,
};
export const IDS: readonly string[] = Object.keys(REVISIONS);
export const LATEST = "2025-11-25";

interface Call {
  readonly name: string;
  readonly arguments?: { readonly text?: string; readonly count?: number };
}

type Tool = (call: Call, context: HandlerContext) => unknown;

const text = (value: string): object => ({ content: [{ type: "text", text: value }] });
const log = (data: unknown): object => ({ level: "info", data });

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

type Toy = ServerBase<object, object, object, { name: string; version: string }>;

/** A server whose tools do what the tests need, with access to its internals. */
export class ToyServer {
  readonly errors: Error[] = [];
  readonly aborted: string[] = [];
  readonly called: string[] = [];
  /** The gate at which tools stop: `wait` at once, some others after their first step. */
  gate = new Gate();
  readonly server: Toy;

  constructor(ids: readonly string[] = IDS, options: ServerOptions = {}, handlers: object = {}) {
    const capabilities = { tools: {}, logging: {} };
    this.server = new ServerBase(
      ids.map((id) => REVISIONS[id]!),
      { name: "toy", version: "1" },
      {
        "tools/list": () => ({ tools: [] }),
        "tools/call": (params: Call, context: HandlerContext) => this.#call(params, context),
        "logging/setLevel": () => ({}),
        ...handlers,
      },
      { capabilities, onerror: (error) => void this.errors.push(error), ...options },
      serverHandshake,
    );
  }

  readonly tools: Record<string, Tool> = {
    echo: ({ arguments: given }) => text(given?.text ?? ""),
    soon: async ({ arguments: given }) => text(given?.text ?? ""),
    wait: async (_, context) => {
      context.signal.addEventListener("abort", () => this.aborted.push(context.method));
      await this.gate.passed;
      return text("waited");
    },
    progress: async ({ arguments: given }, { progress }) => {
      for (let step = 1; step <= (given?.count ?? 3); step++) {
        progress(step);
        // Reports that come faster are throttled.
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
      return text("done");
    },
    "log-and-wait": async (_, { notify }) => {
      await say(notify, "first");
      await this.gate.passed;
      await say(notify, "second");
      return text("waited");
    },
    log: async ({ arguments: given }, { notify }) => {
      for (let step = 0; step < (given?.count ?? 1); step++) await say(notify, given?.text ?? step);
      return text("logged");
    },
    ask: async (_, { request }) => {
      const send = request as unknown as (method: string, params?: object) => Promise<unknown>;
      return text(JSON.stringify(await send("roots/list")));
    },
    release: async (_, context) => {
      context.releaseStream(50);
      await this.gate.passed;
      await say(context.notify, "while you were away");
      return text("released");
    },
    who: (_, { auth, header }) => text(JSON.stringify([auth?.principal, header("X-Test")])),
    session: (_, { session }) => text(String(session.id)),
    fail: () => {
      throw new Error("a secret of /home/me");
    },
  };

  #call(call: Call, context: HandlerContext): unknown {
    this.called.push(call.name);
    return this.tools[call.name]!(call, context);
  }
}

function say(notify: HandlerContext["notify"], data: unknown): Promise<void> {
  const send = notify as unknown as (method: string, params: object) => Promise<void>;
  return send("notifications/message", log(data));
}
