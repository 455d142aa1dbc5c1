import { ClientBase } from "../../../runtime/engine/index.js";
import type { HandlerContext } from "../../../runtime/api/handlers.js";
import { clientOfAnyKind } from "../../../runtime/negotiation/index.js";
import { serverOfAnyKind } from "../../../runtime/negotiation/index.js";
import type { ClientOptions, ServerOptions } from "../../../runtime/api/options.js";
import type { Revision } from "../../../runtime/wire/revision/revision.js";
import { ServerBase } from "../../../runtime/engine/index.js";
import { RawPeer } from "./raw-peer.js";
import {
  type TinyClientNotifications,
  type TinyClientRequests,
  tinyRevision,
  type TinyServerNotifications,
  type TinyServerRequests,
} from "./tiny-revision.js";

export type ServerContext = HandlerContext<TinyServerRequests, TinyServerNotifications>;
export type ClientContext = HandlerContext<TinyClientRequests, TinyClientNotifications>;

type Handlers<Context> = Readonly<Record<string, (params: never, context: Context) => unknown>>;

interface Implementation {
  name: string;
}

export class TinyServer extends ServerBase<
  TinyServerRequests,
  TinyServerNotifications,
  object,
  Implementation
> {
  readonly errors: Error[];

  constructor(
    handlers: Handlers<ServerContext> = {},
    options: ServerOptions = {},
    revisions: readonly Revision[] = [tinyRevision()],
  ) {
    const errors: Error[] = [];
    const onerror = (error: Error): void => void errors.push(error);
    super(revisions, { name: "server" }, handlers, { onerror, ...options }, serverOfAnyKind);
    this.errors = errors;
  }
}

export class TinyClient extends ClientBase<
  TinyClientRequests,
  TinyClientNotifications,
  Record<string, unknown>,
  Implementation
> {
  readonly errors: Error[];

  constructor(
    handlers: Handlers<ClientContext> = {},
    options: ClientOptions = {},
    revisions: readonly Revision[] = [tinyRevision()],
  ) {
    const errors: Error[] = [];
    const onerror = (error: Error): void => void errors.push(error);
    super(revisions, { name: "client" }, handlers, { onerror, ...options }, clientOfAnyKind);
    this.errors = errors;
  }
}

export interface InitializeOptions {
  readonly id?: string;
  readonly capabilities?: object;
}

/** Connects a raw client to a server and initializes it. */
export async function rawClientOf(
  server: TinyServer,
  { id = "one", capabilities = {} }: InitializeOptions = {},
): Promise<RawPeer> {
  const raw = new RawPeer();
  await server.connect(raw);
  await raw.call("init", "initialize", {
    protocolVersion: id,
    capabilities,
    clientInfo: { name: "raw" },
  });
  raw.tell("notifications/initialized");
  return raw;
}

/** Connects a client to a raw server that has initialized it. */
export async function rawServerOf(
  client: TinyClient,
  { id = "one", capabilities = {} }: InitializeOptions = {},
): Promise<RawPeer> {
  const raw = new RawPeer();
  const connected = client.connect(raw);
  const { id: request } = await raw.next();
  raw.answer(request, { protocolVersion: id, capabilities, serverInfo: { name: "raw" } });
  await connected;
  await raw.next();
  return raw;
}

/** Creates a promise together with the functions that settle it. */
export function deferred<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
