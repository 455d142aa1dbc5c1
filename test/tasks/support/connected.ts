import {
  Client,
  type ClientCapabilities,
  type ClientHandlers,
  type Handlers,
  revision,
  Server,
  type ServerCapabilities,
} from "@mcp-codegen/2025-11-25";
import type { Feature } from "../../../runtime/api/feature.js";
import type { Auth, Transport } from "../../../runtime/wire/messages/transport.js";
import { memoryPair } from "../../../runtime/memory/memory-pair.js";
import { Traffic } from "./traffic.js";

const info = { name: "test", version: "1.0.0" };

export interface Setting {
  readonly handlers?: Handlers;
  readonly features?: readonly Feature[];
  readonly capabilities?: ServerCapabilities;
  readonly clientHandlers?: ClientHandlers;
  readonly clientFeatures?: readonly Feature[];
  readonly clientCapabilities?: ClientCapabilities;
  readonly auth?: Auth;
}

/** Creates a server, and records the errors that it reports. */
export function serverWith({ handlers = {}, features = [], capabilities = {} }: Setting) {
  const errors: Error[] = [];
  const onerror = (error: Error): void => void errors.push(error);
  return { server: new Server(info, handlers, { onerror, features, capabilities }), errors };
}

/** Connects a new client to a server, or to a fork of it. */
export async function clientOf(server: Server, setting: Setting = {}) {
  const { clientHandlers = {}, clientFeatures = [], clientCapabilities = {}, auth } = setting;
  const traffic = new Traffic(revision);
  const errors: Error[] = [];
  const client = new Client(info, clientHandlers, {
    onerror: (error) => void errors.push(error),
    features: clientFeatures,
    capabilities: clientCapabilities,
  });
  const [near, far] = memoryPair({ ontext: traffic.ontext });
  const session = server.fork();
  await Promise.all([session.connect(auth ? authenticated(far, auth) : far), client.connect(near)]);
  return { client, session, traffic, clientErrors: errors };
}

export async function connected(setting: Setting = {}) {
  const { server, errors } = serverWith(setting);
  return { server, errors, ...(await clientOf(server, setting)) };
}

/** Returns a transport that knows the sender. */
export function authenticated(transport: Transport, auth: Auth): Transport {
  return {
    start: (receiver) =>
      transport.start({
        message: (value) => receiver.message(value, { auth }),
        malformed: (problem) => receiver.malformed(problem),
        failed: (id, error) => receiver.failed(id, error),
        ended: () => receiver.ended(),
        closed: (error) => receiver.closed(error),
      }),
    send: (frame, relatedTo) => transport.send(frame, relatedTo),
    close: () => transport.close(),
  };
}
