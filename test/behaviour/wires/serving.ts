import type { Server } from "@mcp-codegen/2025-11-25";
import type { Fork, ServerInstance } from "@mcp-codegen/runtime/http/server";
import type { Transport } from "../../../runtime/wire/messages/transport.js";
import { bareServer, everythingServer } from "../server/everything-server.js";
import type { Package } from "../support/packages.js";
import { Tap } from "../tap/tap.js";
import { tappedRequests } from "../tap/tapped-requests.js";
import { TappedTransport } from "../tap/tapped-transport.js";
import type { ServerKind } from "./wire.js";

export interface ServingListeners {
  readonly onviolation?: (text: string) => void;
  readonly onerror?: (text: string) => void;
}

/** A server with a tap on every connection. */
export class Serving implements ServerInstance {
  readonly errors: string[] = [];
  readonly violations: string[] = [];
  readonly server: Server;
  readonly report: (error: Error) => void;
  readonly #from: Package;
  readonly #trustsClients: boolean;
  readonly #onviolation: (text: string) => void;

  /** @param trustsClients - true if every message of a client must be valid */
  constructor(
    from: Package,
    kind: ServerKind,
    trustsClients: boolean,
    listeners: ServingListeners = {},
  ) {
    const { onviolation, onerror } = listeners;
    this.#onviolation = (text) => {
      this.violations.push(text);
      onviolation?.(text);
    };
    const make = kind === "bare" ? bareServer : everythingServer;
    this.report = ({ message }) => {
      this.errors.push(message);
      onerror?.(message);
    };
    this.server = make(from, this.report);
    this.#from = from;
    this.#trustsClients = trustsClients;
  }

  get revisions(): Server["revisions"] {
    return this.server.revisions;
  }

  fork(): Fork & Pick<Server, "closed"> {
    const fork = this.server.fork();
    return {
      connect: (transport, options) =>
        fork.connect(this.#tapped(transport, options?.assume !== undefined), options),
      close: () => fork.close(),
      loadStateless: () => fork.loadStateless?.(),
      statelessRequests: () => tappedRequests(fork.statelessRequests(), this.#tap()),
      closed: fork.closed,
    };
  }

  #tapped(transport: Transport, assumed: boolean): Transport {
    return new TappedTransport(transport, this.#tap(assumed));
  }

  #tap(assumed = false): Tap {
    return new Tap({
      packages: [this.#from],
      side: "server",
      assumed,
      checksReceived: this.#trustsClients,
      onviolation: this.#onviolation,
    });
  }
}
