import {
  Client as ClientV2,
  SSEClientTransport as SseV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as SseV1 } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

/** The members that both generations of the official client share. */
export type OfficialClient = Pick<
  ClientV1,
  | "listTools"
  | "listResources"
  | "listResourceTemplates"
  | "readResource"
  | "subscribeResource"
  | "unsubscribeResource"
  | "listPrompts"
  | "getPrompt"
  | "complete"
  | "setLoggingLevel"
  | "sendRootsListChanged"
  | "ping"
  | "close"
  | "getServerVersion"
  | "getInstructions"
> & {
  callTool(params: Call, options?: Options): Promise<ToolResult>;
};

interface Call {
  readonly name: string;
  readonly arguments?: object;
}

interface Options {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly onprogress?: (notifications: { progress: number }) => void;
}

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface Connected {
  readonly client: OfficialClient;
  /** The methods and parameters that the client received, in order. */
  readonly received: { readonly method: string; readonly params: unknown }[];
  readonly roots: { uri: string }[];
  terminateSession(): Promise<void>;
}

const info = { name: "theirs", version: "1.0.0" };
const capabilities = {
  sampling: { tools: {}, context: {} },
  roots: { listChanged: true },
  elicitation: { form: { applyDefaults: true }, url: {} },
};
const sampled = {
  role: "assistant",
  model: "adder",
  content: { type: "text", text: "4" },
} as const;
const quick = {
  reconnectionOptions: {
    initialReconnectionDelay: 10,
    maxReconnectionDelay: 100,
    reconnectionDelayGrowFactor: 1,
    maxRetries: 20,
  },
};

export type WireName = "Streamable HTTP" | "HTTP+SSE";
export type Connect = (url: string, wire: WireName) => Promise<Connected>;

export const connectV1: Connect = async (address, wire) => {
  const received: Connected["received"] = [];
  const roots = [{ uri: "file:///home/me" }];
  const client = new ClientV1(info, { capabilities });
  client.setRequestHandler(CreateMessageRequestSchema, (request) => {
    received.push(request as never);
    return sampled;
  });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  client.setRequestHandler(ElicitRequestSchema, (request) => {
    received.push(request as never);
    return elicited(request.params);
  });
  const schemas = [
    LoggingMessageNotificationSchema,
    ResourceUpdatedNotificationSchema,
    ToolListChangedNotificationSchema,
    ElicitationCompleteNotificationSchema,
  ] as const;
  for (const schema of schemas) {
    client.setNotificationHandler(
      schema as never,
      (notified: never) => void received.push(notified),
    );
  }
  const url = new URL(address);
  const transport = wire === "HTTP+SSE" ? new SseV1(url) : new HttpV1(url, quick);
  await client.connect(transport as never);
  const adapted = adapt(client, (params, options) => client.callTool(params, undefined, options));
  const terminateSession = async () => (transport as HttpV1).terminateSession?.();
  return { client: adapted, received, roots, terminateSession };
};

export const connectV2: Connect = async (address, wire) => {
  const received: Connected["received"] = [];
  const roots = [{ uri: "file:///home/me" }];
  const client = new ClientV2(info, { capabilities });
  client.setRequestHandler("sampling/createMessage", (request) => {
    received.push(request as never);
    return sampled;
  });
  client.setRequestHandler("roots/list", () => ({ roots }));
  client.setRequestHandler("elicitation/create", (request) => {
    received.push(request as never);
    return elicited(request.params);
  });
  const methods = [
    "notifications/message",
    "notifications/resources/updated",
    "notifications/tools/list_changed",
    "notifications/elicitation/complete",
  ] as const;
  for (const method of methods) {
    client.setNotificationHandler(
      method as never,
      (notified: never) => void received.push(notified),
    );
  }
  const url = new URL(address);
  const transport = wire === "HTTP+SSE" ? new SseV2(url) : new HttpV2(url, quick);
  await client.connect(transport);
  const adapted = adapt(client, (params, options) => client.callTool(params, options as never));
  const terminateSession = async () => (transport as HttpV2).terminateSession?.();
  return { client: adapted, received, roots, terminateSession };
};

/** Returns the user's reaction to an elicitation in either mode. */
function elicited(params: object): { action: "accept"; content?: { name: string } } {
  const isForm = !("mode" in params) || params.mode !== "url";
  return isForm ? { action: "accept", content: { name: "Ada" } } : { action: "accept" };
}

/** Adapts a client, because the two generations call tools slightly differently. */
function adapt(
  client: object,
  call: (params: never, options: never) => Promise<unknown>,
): OfficialClient {
  return new Proxy(client, {
    get(target, name) {
      if (name === "callTool") return call;
      const member = Reflect.get(target, name) as unknown;
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  }) as OfficialClient;
}
