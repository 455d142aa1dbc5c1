import { type Revision, chosenRevisions } from "../../wire/index.js";
import type { NeutralTypes } from "../neutral-types.js";
import { assertKnownNames, assertTimeouts } from "../../ground/index.js";
import { errorLog, ofLifecycle } from "../../engine/index.js";
import type { ConnectOptions, Target } from "./client-options.js";
import { type ClientParts, loadedParts } from "./late-parts.js";
import { MemoryEraCache } from "./eras.js";
import type { McpClient, McpClientBase } from "./mcp-client-base.js";

/** Connects to a server. See {@link connectWith}. */
export type Connect<Types extends NeutralTypes, Client = McpClientBase<Types>> = (
  target: Target,
  options?: ConnectOptions<Types>,
) => Promise<McpClient<Client>>;

type ClientClass<Types extends NeutralTypes, Client> = new (
  options: ConnectOptions<Types>,
  parts?: ClientParts,
) => Client;

export const OPTIONS: readonly string[] =
  /* @__PURE__ */ `anonymous auth cache capabilities checkContent checkOutput clientInfo custom eras extensions features
  handlerTimeout handlers headers http keepAlive limits maxTotalTimeout middleware newerRevisions onElicit
  onInvalidItem onRoots onSample onerror onloss onrequestend pageTimeout plugins prior probeTimeout relisten
  resetTimeoutOnProgress retryLost revisions roots sampling sending signal stdio timeout`.split(
    /\s+/,
  );

const ERAS = /* @__PURE__ */ new MemoryEraCache();

/**
 * Creates the function that connects to servers of the given revisions:
 *
 * `const client = await connect("https://mcp.example/", { onElicit: ask })`. The target can also be a command, `{
 * command: "npx", args: ["-y", "some-server"] }`, a transport, or a function that creates one.
 *
 * The server's revision is detected, and handlers are the same for all revisions. The function rejects with the same
 * errors as `connect()` on a single-revision client, and with a TypeError if the target is invalid or an option is
 * unknown.
 *
 * @typeParam Types - the types of the newest revision
 * @typeParam Client - the class of the clients
 * @param revisions - the revisions, in order of preference; the `revisions` option replaces them
 */
export function connectWith<Types extends NeutralTypes, Client extends McpClientBase<Types>>(
  revisions: readonly Revision[],
  Client: ClientClass<Types, Client>,
): Connect<Types, Client> {
  return async (target, options = {}) => {
    assertKnownNames(options, OPTIONS, "connect");
    assertTimeouts(options);
    const { eras = ERAS } = options;
    const chosen = options.revisions ? chosenRevisions(options.revisions, revisions) : revisions;
    // A client that only opens sessions binds its first revision immediately, so that revision must already be loaded.
    if (ofLifecycle(chosen, "discover").length === 0) await chosen[0]?.load?.();
    const report = options.onerror ?? errorLog();
    const plugins = (options.plugins ?? []).map((plugin) => plugin({ report }));
    const steps = plugins.flatMap(({ sending = [] }) => sending);
    const sending = [...steps, ...(options.sending ?? [])];
    const parts = { plugins, ...(await loadedParts(options as ConnectOptions)) };
    const client = new Client({ ...options, revisions: chosen, sending }, parts);
    await client.open(target, eras === false ? undefined : eras);
    try {
      for (const plugin of plugins) await plugin.opened?.(client);
    } catch (error) {
      await client.close();
      throw error;
    }
    return client as McpClient<Client>;
  };
}
