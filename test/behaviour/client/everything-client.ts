import type {
  Client,
  ClientContext,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
} from "@mcp-codegen/2025-11-25";
import { Elicitation, Roots, Sampling, UserRejectedError } from "@mcp-codegen/runtime/features";
import { Tasks } from "@mcp-codegen/runtime/tasks";
import { knowledgeOf } from "../support/knows.js";
import type { Package } from "../support/packages.js";

/** A message that a client received. */
export interface ReceivedMessage {
  readonly method: string;
  readonly params: unknown;
}

export interface EverythingClient {
  readonly client: Client;
  readonly roots: Roots;
  readonly received: ReceivedMessage[];
  readonly errors: Error[];
}

export interface ClientSetup {
  /** Distinguishes this client's answers from those of others. */
  readonly name?: string;
  /** True for a client without capabilities. */
  readonly bare?: boolean;
  readonly options?: object;
  /** A signal that aborts the attempt to connect. */
  readonly signal?: AbortSignal;
}

/** Creates a client that has all features of its revision and records what it receives. */
export function everythingClient(
  from: Package,
  { name = "client", bare = false, options = {} }: ClientSetup,
): EverythingClient {
  const received: ReceivedMessage[] = [];
  const errors: Error[] = [];
  const roots = new Roots([{ uri: `file:///${name}` }]);
  const tasks = new Tasks({ requests: ["sampling/createMessage"], pollInterval: 20 });
  const features = bare
    ? []
    : [roots, samplingOf(from, name, received), ...elicitationOf(from, received), tasks];
  const client = new from.Client({ name, version: "1.0.0" }, listeners(from, received), {
    features,
    onerror: (error) => void errors.push(error),
    timeout: 10_000,
    ...options,
  });
  return { client, roots, received, errors };
}

function samplingOf(from: Package, name: string, received: ReceivedMessage[]): Sampling {
  const sample = (
    params: CreateMessageRequestParams,
    context: Pick<ClientContext, "signal" | "progress">,
  ): CreateMessageResult | Promise<CreateMessageResult> => {
    received.push({ method: "sampling/createMessage", params });
    const [message] = params.messages;
    const wish = (message?.content as { text?: string } | undefined)?.text;
    if (wish === "reject") throw new UserRejectedError("not this time");
    if (wish === "wait") return untilAborted(context.signal, received);
    if (wish === "slowly") context.progress(0.5, 1);
    const content = { type: "text", text: `sampled by ${name}` } as const;
    return { role: "assistant", model: "adder", content };
  };
  const { samplingTools } = knowledgeOf(from);
  return new Sampling(sample as never, { tools: samplingTools, context: samplingTools });
}

function untilAborted(signal: AbortSignal, received: ReceivedMessage[]): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      received.push({ method: "aborted", params: (signal.reason as { code?: string }).code });
      reject(signal.reason);
    });
  });
}

function elicitationOf(from: Package, received: ReceivedMessage[]): Elicitation[] {
  const { elicitation, urlElicitation } = knowledgeOf(from);
  if (!elicitation) return [];
  const form = (params: ElicitRequestFormParams) => {
    received.push({ method: "elicitation/create", params });
    if (params.message === "decline?") return { action: "decline" } as const;
    if (params.message === "wrong?") return { action: "accept", content: { age: "old" } } as const;
    return { action: "accept", content: { name: "Ada" } } as const;
  };
  const url = (params: ElicitRequestURLParams) => {
    received.push({ method: "elicitation/create", params });
    return { action: "accept" } as const;
  };
  const oncomplete = (id: string): void => void received.push({ method: "complete", params: id });
  const options = { form, ...(urlElicitation ? { url, oncomplete } : {}), applyDefaults: true };
  return [new Elicitation(options as never)];
}

/** Returns handlers for all notifications that a server of this revision can send. */
function listeners({ revision }: Package, received: ReceivedMessage[]): object {
  const rows = [...revision.methods.values()].filter(
    ({ kind, from, role, method }) =>
      kind === "notification" && from !== "client" && !role && !method.includes("elicitation"),
  );
  return Object.fromEntries(
    rows.map(({ method }) => [method, (params: unknown) => void received.push({ method, params })]),
  );
}
