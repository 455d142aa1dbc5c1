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
  /** Title of the case, with the ids of what it proves. */
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
   * One more client of the same server.
   * @param isDeaf - receives no messages except those of a response
   */
  connect(setup?: ClientSetup, isDeaf?: boolean): Promise<EverythingClient>;
  /** Another server, and a client of it. */
  elsewhere(kind: ServerKind, setup?: ClientSetup): Promise<EverythingClient & { venue: Venue }>;
  /** The text that a tool returns. */
  text(tool: string, args?: object, options?: RequestOptions): Promise<string>;
  /** The JSON that a tool returns. */
  json(tool: string, args?: object, options?: RequestOptions): Promise<Json>;
  call(tool: string, args?: object, options?: RequestOptions): Promise<CallToolResult>;
}

/** A client that the test controls, connected to our server. */
export interface RawClientScene extends Setting {
  /** Initialized. */
  readonly raw: RawEnd;
  /** One more connection, on which nothing was said yet. */
  connect(kind?: ServerKind): Promise<RawEnd>;
  /** Parameters of the client's opening request. */
  readonly initialize: Readonly<Record<string, unknown>>;
}

/** Our client, connected to a server that the test controls. */
export interface RawServerScene extends Setting {
  /** One more connection; the client has begun to connect. */
  begin(setup?: ClientSetup): Promise<Begun>;
  /** One more connection, initialized; by default, the server declares everything. */
  connect(setup?: ClientSetup, result?: object): Promise<Begun>;
}

export interface Begun extends EverythingClient {
  readonly raw: RawEnd;
  readonly connecting: Promise<void>;
}

// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;
