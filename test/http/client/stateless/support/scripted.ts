import {
  Client,
  type ClientHandlers,
  revision,
} from "../../../../../generated/2026-07-28/index.js";
import { HttpClientTransport } from "../../../../../runtime/http/client/index.js";
import { closeAfter } from "../../support/clients.js";
import { answer, complete, type Handle, json, serve } from "./wire.js";
import type { RawServer } from "../../support/raw-server.js";

/** Returns a server's discovery result. */
export const discovered = (more: object = {}): object =>
  complete({
    supportedVersions: [revision.id],
    capabilities: { tools: {}, prompts: {}, resources: {} },
    ttlMs: 0,
    cacheScope: "private",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "scripted", version: "1.0.0" } },
    ...more,
  });

export const listed = (member: string, items: readonly object[]): object =>
  complete({ [member]: items, ttlMs: 0, cacheScope: "private" });

export const done = complete({ content: [] });

export function answerWith(result: object): Handle {
  return (seen, response) => answer(response, seen, result);
}

export function refuseWith(status: number, code: number, data?: object): Handle {
  return ({ body }, response) => {
    const error = { code, message: "no", ...(data && { data }) };
    json(response, status, { jsonrpc: "2.0", id: body.id, error });
  };
}

export interface Scripted {
  readonly server: RawServer;
  readonly client: Client;
  readonly errors: Error[];
}

/** Connects a client to a server that follows a script. */
export async function connected(
  on: Readonly<Record<string, Handle>>,
  handlers: ClientHandlers = {},
): Promise<Scripted> {
  const server = await serve({ "server/discover": answerWith(discovered()), ...on });
  const errors: Error[] = [];
  const onerror = (error: Error): void => void errors.push(error);
  const client = closeAfter(new Client({ name: "ours", version: "1.0.0" }, handlers, { onerror }));
  await client.connect(new HttpClientTransport(server.url));
  return { server, client, errors };
}
