import type { CallToolResult } from "@mcp-codegen/2025-11-25";
import type { RequestOptions } from "../../runtime/api/index.js";
import type { ClientSetup, EverythingClient } from "./client/everything-client.js";
import type { Need } from "./needs.js";
import type { Knowledge } from "./support/knows.js";
import type { Package } from "./support/packages.js";
import type { RawEnd } from "./support/raw-end.js";
import type { Connecting, ServerKind, Venue } from "./wires/wire.js";

/** One behaviour at every revision, over every transport that supports it. */
export interface Case<Scene> {
  /** The case's title, with the ids of the requirements that it proves. */
  readonly name: string;
  readonly needs?: readonly Need[];
  readonly run: (scene: Scene) => Promise<void>;
}

interface Setting {
  readonly wire: Connecting;
  readonly from: Package;
  readonly knows: Knowledge;
}

/** Our client, connected to our server. */
export interface OursScene extends Setting, EverythingClient {
  readonly venue: Venue;
  /**
   * Connects another client to the same server.
   *
   * @param isDeaf - receives no messages except those of a response
   */
  connect(setup?: ClientSetup, isDeaf?: boolean): Promise<EverythingClient>;
  /** Starts another server and connects a client to it. */
  elsewhere(kind: ServerKind, setup?: ClientSetup): Promise<EverythingClient & { venue: Venue }>;
  /** Calls a tool and returns its text. */
  text(tool: string, args?: object, options?: RequestOptions): Promise<string>;
  /** Calls a tool and returns its JSON. */
  json(tool: string, args?: object, options?: RequestOptions): Promise<Json>;
  call(tool: string, args?: object, options?: RequestOptions): Promise<CallToolResult>;
}

/** A client that the test controls, connected to our server. */
export interface RawClientScene extends Setting {
  /** The test's connection, already initialized. */
  readonly raw: RawEnd;
  /** Opens another connection, on which nothing has been sent yet. */
  connect(kind?: ServerKind): Promise<RawEnd>;
  /** The parameters of the client's opening request. */
  readonly initialize: Readonly<Record<string, unknown>>;
}

/** Our client, connected to a server that the test controls. */
export interface RawServerScene extends Setting {
  /** Opens another connection, on which the client has begun to connect. */
  begin(setup?: ClientSetup): Promise<Begun>;
  /** Opens another connection and initializes it. By default, the server declares everything. */
  connect(setup?: ClientSetup, result?: object): Promise<Begun>;
}

export interface Begun extends EverythingClient {
  readonly raw: RawEnd;
  readonly connecting: Promise<void>;
}

// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;
