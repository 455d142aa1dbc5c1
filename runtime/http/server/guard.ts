import { quote } from "../../wire/index.js";
import type { RequestHead } from "./exchange.js";
import { type Problem, problem } from "./problem.js";

/** Against pages in browsers that reach for a server that is not theirs (DNS rebinding, cross-site requests). */
export interface GuardOptions {
  /**
   * Names that the server goes by in the `Host` field: `example.com` with any port, `example.com:8443` with that
   * one; `"any"` switches the check off. Default: `localhost`, `127.0.0.1` and `[::1]`.
   */
  readonly allowedHosts?: readonly string[] | "any" | undefined;
  /**
   * Origins of the pages that may use the server: `https://app.example.com`; `"any"` switches the check off.
   * Requests without an `Origin` do not come from pages. Default: `http` and `https` on the names above, any port.
   */
  readonly allowedOrigins?: readonly string[] | "any" | undefined;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const LOOPBACK_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_-])?)(:\d{1,5})?$/;
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/;

const TWO_HOSTS = problem(400, "Bad request: there is more than one Host field");

/** Decides by `Host`, `Origin` and `Sec-Fetch-Site` alone who may go on. */
export class Guard {
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #origins: ReadonlySet<string> | "any" | undefined;
  /** The `Host` that was found good last: clients rarely change it. */
  #goodHost: string | undefined;

  /** @throws TypeError for an entry that no request could match */
  constructor({ allowedHosts = LOOPBACK, allowedOrigins }: GuardOptions) {
    assertIsListOrAny("allowedHosts", allowedHosts);
    if (allowedOrigins !== undefined) assertIsListOrAny("allowedOrigins", allowedOrigins);
    this.#hosts = allowedHosts === "any" ? undefined : new Set(allowedHosts.map(hostEntry));
    this.#origins = Array.isArray(allowedOrigins)
      ? new Set(allowedOrigins.map(originEntry))
      : (allowedOrigins as "any" | undefined);
  }

  check(head: RequestHead): Problem | undefined {
    const host = head.header("host");
    if (host === undefined || host !== this.#goodHost) {
      if (host?.includes(",")) return TWO_HOSTS;
      if (!this.#isGoodHost(host)) {
        return problem(
          403,
          `Forbidden: the host ${quote(host ?? "")} is not allowed; if it is the server's, name it in \`allowedHosts\``,
        );
      }
      this.#goodHost = host;
    }
    const origin = head.header("origin");
    if (origin !== undefined) {
      if (this.allowsOrigin(origin)) return undefined;
      return problem(
        403,
        `Forbidden: the origin ${quote(origin)} is not allowed; name it in \`allowedOrigins\``,
      );
    }
    const site = head.header("sec-fetch-site");
    const isForeign = site !== undefined && site !== "same-origin" && site !== "none";
    if (!isForeign || this.#origins === "any") return undefined;
    return problem(403, "Forbidden: the request comes from a page of another site");
  }

  allowsOrigin(origin: string): boolean {
    if (this.#origins === "any") return true;
    return this.#origins ? this.#origins.has(origin) : LOOPBACK_ORIGIN.test(origin);
  }

  #isGoodHost(host: string | undefined): boolean {
    if (this.#hosts === undefined) return true;
    const [, name, port = ""] = HOST.exec(host?.toLowerCase() ?? "") ?? [];
    return name !== undefined && (this.#hosts.has(name) || this.#hosts.has(name + port));
  }
}

function assertIsListOrAny(option: string, value: unknown): void {
  if (value === "any" || Array.isArray(value)) return;
  throw new TypeError(`${option} takes a list, or "any" to switch the check off`);
}

function hostEntry(entry: string): string {
  const host = String(entry).toLowerCase();
  if (HOST.test(host)) return host;
  throw new TypeError(
    `allowedHosts: ${quote(String(entry))} is not a host such as "example.com", "example.com:8443" or "[::1]"; ` +
      `"any" in the place of the list switches the check off`,
  );
}

function originEntry(entry: string): string {
  if (ORIGIN.test(entry)) return entry;
  throw new TypeError(
    `allowedOrigins: ${quote(String(entry))} is not an origin such as "https://app.example.com"; ` +
      `"any" in the place of the list switches the check off`,
  );
}
