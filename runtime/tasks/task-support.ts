import { CapabilityError, RpcError, isObject } from "../wire/index.js";
import { requestOf, type TaskPeer } from "./follow-task.js";
import type { RequestOptions } from "../api/index.js";

/** Support of a request for being worked on as a task (MCP: `Tool.execution.taskSupport`). */
export type TaskSupport = "forbidden" | "optional" | "required";

/** Request whose support each tool states in the list. */
const CALL = "tools/call";
const LIST = "tools/list";
/** Pages of a list that are looked through. */
const MAX_PAGES = 1000;

/** Support of tools by name, as a peer has listed them. */
const known = new WeakMap<TaskPeer, ReadonlyMap<string, TaskSupport>>();

/**
 * True when a request may ask for a task: the peer has declared it, and a tool allows it.
 * @throws what asking for the list of tools throws
 */
export async function admitsTask(
  peer: TaskPeer,
  method: string,
  params: object,
  options: RequestOptions,
): Promise<boolean> {
  if (declaresTask(peer, method) === false) return false;
  if (method !== CALL) return true;
  const tools = known.get(peer) ?? (await listed(peer, options));
  if (tools === undefined) return true;
  known.set(peer, tools);
  const { name } = params as { readonly name?: unknown };
  return (tools.get(name as string) ?? "forbidden") !== "forbidden";
}

/** Forgets the tools of a peer, which have changed. */
export function forgetSupport(peer: TaskPeer): void {
  known.delete(peer);
}

/** True when the peer has declared tasks for a request; undefined when its capabilities are not known. */
function declaresTask(peer: TaskPeer, method: string): boolean | undefined {
  const capabilities = capabilitiesOf(peer);
  if (capabilities === undefined) return undefined;
  const path = ["tasks", "requests", ...method.split("/")];
  return path.reduce<unknown>(memberOf, capabilities) !== undefined;
}

/** Capabilities as a client, a server, a handler's context or a session knows them. */
function capabilitiesOf(peer: TaskPeer): object | undefined {
  const {
    server,
    client,
    session,
    peer: own,
  } = peer as unknown as Readonly<Record<string, unknown>>;
  const described = [own, memberOf(session, "peer"), server, client].find(isObject);
  const capabilities = described?.["capabilities"];
  return isObject(capabilities) ? capabilities : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** Support of all tools of a peer; undefined where the peer has no list. */
async function listed(
  peer: TaskPeer,
  options: RequestOptions,
): Promise<ReadonlyMap<string, TaskSupport> | undefined> {
  const support = new Map<string, TaskSupport>();
  try {
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = (await requestOf(peer, LIST, params, options)) as ToolPage;
      for (const { name, execution } of result.tools)
        support.set(name, execution?.taskSupport ?? "forbidden");
      cursor = result.nextCursor;
      if (cursor === undefined) break;
    }
    return support;
  } catch (error) {
    if (error instanceof RpcError || error instanceof CapabilityError) return undefined;
    throw error;
  }
}

interface ToolPage {
  readonly tools: readonly {
    readonly name: string;
    readonly execution?: { readonly taskSupport?: TaskSupport };
  }[];
  readonly nextCursor?: string;
}
