import type { ServerContext } from "@mcp-codegen/2025-11-25";
import {
  UrlElicitationRequiredError,
  completeElicitation,
  elicitForm,
  elicitUrl,
} from "@mcp-codegen/runtime/features";
import type { Session } from "../../../runtime/api/handlers.js";
import { json, type Kit, text } from "./kit.js";

const anything = { type: "object" } as const;

/** Sends any protocol message, even one that the test's types do not know. */
type Send = (method: string, params?: unknown, options?: object) => Promise<unknown>;

/** Adds the tools that send requests or notifications to the client. */
export function addTalkingTools(kit: Kit): void {
  const { tools, logging } = kit;
  tools.add({ name: "ask", inputSchema: anything }, async (args, context) => {
    const ask = (args["unrelated"] ? asUnrelated(context) : context.request) as Send;
    const { method, params, timeout, follows } = args;
    const notifications: unknown[] = [];
    const options = {
      ...(timeout ? { timeout } : {}),
      ...(follows ? { onprogress: (one: unknown) => void notifications.push(one) } : {}),
    };
    const requested = await outcome(ask(String(method), params, options));
    return json(follows ? { ...requested, notifications } : requested);
  });
  tools.add({ name: "tell", inputSchema: anything }, async ({ method, params }, context) => {
    await (context.notify as unknown as Send)(String(method), params);
    return text("told");
  });
  tools.add({ name: "log", inputSchema: anything }, async ({ levels, related }, context) => {
    const log = related ? logging.for(context) : logging.log;
    for (const level of levels as never[]) log(level, `at ${String(level)}`, "test");
    return text("logged");
  });
  addChangingTools(kit);
  addListeningTools(kit);
  addElicitingTools(kit);
}

function addChangingTools({ tools, prompts, resources }: Kit): void {
  const add: Record<string, () => { remove(): void }> = {
    tools: () => tools.add({ name: "brief", inputSchema: anything }, () => text("brief")),
    prompts: () => prompts.add({ name: "brief" }, () => ({ messages: [] })),
    resources: () => resources.add({ uri: "brief:1", name: "brief" }, () => undefined),
  };
  tools.add({ name: "change", inputSchema: anything }, ({ what }) => {
    add[String(what)]!().remove();
    return text("changed");
  });
  tools.add({ name: "update", inputSchema: anything }, ({ uri }) => {
    resources.updated(String(uri));
    return text("updated");
  });
}

function addElicitingTools({ tools }: Kit): void {
  const form = { name: "form", inputSchema: anything };
  tools.add(form, async ({ message, requestedSchema }, context) =>
    json(await outcome(elicitForm(context, { message, requestedSchema } as never))),
  );
  const page = { message: "Please sign in", url: "https://example.com/sign-in" };
  tools.add({ name: "page", inputSchema: anything }, async (_args, context) => {
    const requested = await outcome(elicitUrl(context, page));
    const { elicitationId } = requested.result ?? {};
    if (elicitationId) await completeElicitation(context.session, elicitationId);
    return json(requested);
  });
  tools.add({ name: "gated", inputSchema: anything }, () => {
    throw new UrlElicitationRequiredError([page]);
  });
}

function addListeningTools({ tools, witness }: Kit): void {
  tools.add({ name: "note", inputSchema: anything }, ({ label }) => {
    witness.note(String(label), "noted");
    return text("noted");
  });
  const memories = new WeakMap<Session, string>();
  tools.add({ name: "remember", inputSchema: anything }, ({ value }, { session }) => {
    memories.set(session, String(value));
    return text("noted");
  });
  tools.add({ name: "remembered", inputSchema: anything }, (_args, { session }) =>
    text(memories.get(session) ?? "nothing"),
  );
  tools.add({ name: "client", inputSchema: anything }, (_args, { session }) => json(session.peer));
  tools.add({ name: "roots-heard", inputSchema: anything }, () => {
    return json(witness.notesOn("notifications/roots/list_changed"));
  });
}

function asUnrelated({ session }: ServerContext): Send {
  return (...message) => session.request(...message);
}

interface Outcome<Result> {
  readonly result?: Result;
  readonly error?: object;
}

/** Returns the outcome of a request, good or bad, as a value that a test can compare. */
async function outcome<Result>(pending: Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await pending };
  } catch (error) {
    const { name, code, message, data } = error as Error & { code?: unknown; data?: unknown };
    return { error: { name, code, message, data } };
  }
}
