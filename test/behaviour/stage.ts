import { expect } from "vitest";
import type { CallToolResult } from "@mcp-codegen/2025-11-25";
import type { RequestOptions } from "../../runtime/api/index.js";
import type { Transport } from "../../runtime/wire/messages/transport.js";
import type { Begun, Json, OursScene, RawClientScene, RawServerScene } from "./case.js";
import {
  type ClientSetup,
  type EverythingClient,
  everythingClient,
} from "./client/everything-client.js";
import { type Knowledge, knowledgeOf } from "./support/knows.js";
import type { Package } from "./support/packages.js";
import type { RawEnd } from "./support/raw-end.js";
import { initializeResult } from "./support/raw-server-result.js";
import { until } from "./support/until.js";
import { Tap } from "./tap/tap.js";
import { TappedTransport } from "./tap/tapped-transport.js";
import type { Connecting, Puppet, ServerKind, Venue } from "./wires/wire.js";

/** The complaints that a case provokes on purpose. */
const EXPECTED = /"crash"|"misfit"|does not match the requested form|nested deeper|too large|limit/;

/**
 * Provides the server, client and transport for the cases of one transport and revision, and closes them after each
 * case.
 */
export class Stage {
  readonly wire: Connecting;
  readonly from: Package;
  readonly knows: Knowledge;
  readonly #venues: Venue[] = [];
  readonly #puppets: Puppet[] = [];
  readonly #taps: Tap[] = [];
  readonly #reported = new Set<string>();
  readonly #clients: EverythingClient[] = [];
  /** True if both sides are ours, so that neither may report an error. */
  #trusts = false;
  readonly #closing: (() => Promise<unknown>)[] = [];

  constructor(wire: Connecting, from: Package) {
    this.wire = wire;
    this.from = from;
    this.knows = knowledgeOf(from);
  }

  async ours(): Promise<OursScene> {
    this.#trusts = true;
    const venue = await this.#serve("everything", true);
    const shared = await this.#connected(venue, {});
    const call = (name: string, args: object = {}, options?: RequestOptions) =>
      shared.client.callTool({ name, arguments: args as never }, options);
    const text = async (...given: Parameters<typeof call>): Promise<string> =>
      textOf(await call(...given));
    return {
      ...this.#setting,
      ...shared,
      venue,
      call,
      text,
      json: async (...given) => JSON.parse(await text(...given)) as Json,
      connect: (setup = {}, isDeaf = false) => this.#connected(venue, setup, isDeaf),
      elsewhere: async (kind, setup = {}) => {
        const other = await this.#serve(kind, true);
        return { ...(await this.#connected(other, setup)), venue: other };
      },
    };
  }

  async rawClient(): Promise<RawClientScene> {
    const venues: Partial<Record<ServerKind, Venue>> = {};
    const connect = async (kind: ServerKind = "everything"): Promise<RawEnd> => {
      const venue = (venues[kind] ??= await this.#serve(kind, false));
      const raw = await venue.raw();
      this.#closing.push(() => raw.close());
      return raw;
    };
    const raw = await connect();
    const initialize = {
      protocolVersion: this.from.revision.id,
      capabilities: {
        roots: {},
        sampling: {},
        ...(this.knows.elicitation ? { elicitation: {} } : {}),
      },
      clientInfo: { name: "raw", version: "1.0.0" },
    };
    const answer = await raw.call("initialize", "initialize", initialize);
    expect(answer.result).toMatchObject({ protocolVersion: this.from.revision.id });
    raw.tell("notifications/initialized");
    return { ...this.#setting, raw, connect, initialize };
  }

  async rawServer(): Promise<RawServerScene> {
    const begin = async (setup: ClientSetup = {}): Promise<Begun> => {
      const puppet = await this.wire.puppet!();
      this.#puppets.push(puppet);
      const tap = this.#tap(false);
      const ours = everythingClient(this.from, setup);
      const connecting = ours.client.connect(new TappedTransport(puppet.transport, tap), {
        signal: setup.signal,
      });
      connecting.catch(() => {});
      this.#closing.push(() => ours.client.close());
      return { ...ours, raw: puppet.raw, connecting };
    };
    const connect = async (setup?: ClientSetup, result?: object): Promise<Begun> => {
      const begun = await begin(setup);
      const { id } = await begun.raw.nextOf("initialize");
      begun.raw.answer(id, initializeResult(this.from, result));
      await begun.connecting;
      await begun.raw.nextOf("notifications/initialized");
      return begun;
    };
    return { ...this.#setting, begin, connect };
  }

  /** Fails if any message on any connection has been invalid since the last check. */
  check(): void {
    const all = [...this.#taps, ...this.#venues].flatMap(({ violations }) => violations);
    const notifications = all.filter((violation) => !this.#reported.has(violation));
    for (const violation of notifications) this.#reported.add(violation);
    expect(notifications).toEqual([]);
  }

  async end(): Promise<void> {
    await Promise.all(this.#closing.map((close) => close()));
    await Promise.all([...this.#venues, ...this.#puppets].map((one) => one.close()));
    this.check();
    if (this.#trusts) expect(this.#errors.filter((error) => !EXPECTED.test(error))).toEqual([]);
  }

  get #errors(): string[] {
    const ofClients = this.#clients.flatMap(({ errors }) => errors.map(({ message }) => message));
    return [...this.#venues.flatMap(({ errors }) => errors), ...ofClients];
  }

  get #setting() {
    const { wire, from, knows } = this;
    return { wire, from, knows };
  }

  async #serve(kind: ServerKind, trustsClients: boolean): Promise<Venue> {
    const venue = await this.wire.serve(this.from, kind, trustsClients);
    this.#venues.push(venue);
    return venue;
  }

  async #connected(venue: Venue, setup: ClientSetup, isDeaf = false): Promise<EverythingClient> {
    const ours = everythingClient(this.from, setup);
    this.#clients.push(ours);
    await ours.client.connect(this.#tapped(venue.transport(isDeaf)));
    this.#closing.push(() => ours.client.close());
    if (this.wire.traits.sessions && !isDeaf) await this.#awaitEar(ours);
    return ours;
  }

  /** Waits until the server can send first: the stream for that opens some time after the connection. */
  async #awaitEar({ client }: EverythingClient): Promise<void> {
    if (client.server?.capabilities.tools === undefined) return;
    const params = { name: "ask", arguments: { method: "ping", unrelated: true } };
    const isReceived = async (): Promise<boolean> =>
      textOf(await client.callTool(params)).startsWith('{"result"');
    await until("a message of the server", isReceived);
  }

  #tapped(transport: Transport): Transport {
    return new TappedTransport(transport, this.#tap(true));
  }

  #tap(checksReceived: boolean): Tap {
    const tap = new Tap({ packages: [this.from], side: "client", checksReceived });
    this.#taps.push(tap);
    return tap;
  }
}

function textOf({ content }: CallToolResult): string {
  return (content[0] as { text: string }).text;
}
