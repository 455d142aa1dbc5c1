import { onTestFinished } from "vitest";
import type { Target } from "@mcp-codegen/runtime/facade/client";
import { connect as connectTo, type ConnectOptions, type McpClient } from "@mcp-codegen/universal";
import { RawPeer } from "../../../engine/support/raw-peer.js";
import { discovered } from "../../../stateless/client/support/raw-server.js";

/** Connects without remembering the eras of servers, and closes the connection at the end of the test. */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<McpClient> {
  const client = await connectTo(target, { eras: false, ...options });
  onTestFinished(() => client.close());
  return client;
}

export interface Scripted {
  readonly client: McpClient;
  readonly server: RawPeer;
  readonly errors: Error[];
}

/** Connects a client to a server without a handshake that the test controls. */
export async function scripted(
  options: ConnectOptions = {},
  about: object = {},
): Promise<Scripted> {
  const server = new RawPeer();
  const errors: Error[] = [];
  const connecting = connect(server, { onerror: (error) => errors.push(error), ...options });
  const probe = await server.next();
  server.answer(probe.id, discovered(about));
  return { client: await connecting, server, errors };
}

/** Connects a client to a server with a handshake that the test controls. */
export async function scriptedSession(
  options: ConnectOptions = {},
  about: object = {},
  protocolVersion = "2025-11-25",
): Promise<Scripted> {
  const server = new RawPeer();
  const errors: Error[] = [];
  const connecting = connect(server, {
    onerror: (error) => errors.push(error),
    probeTimeout: 0,
    ...options,
  });
  const { id } = await server.next();
  const serverInfo = { name: "raw", version: "0" };
  server.answer(id, {
    protocolVersion,
    serverInfo,
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      logging: {},
      prompts: {},
    },
    ...about,
  });
  const client = await connecting;
  await server.next();
  return { client, server, errors };
}
