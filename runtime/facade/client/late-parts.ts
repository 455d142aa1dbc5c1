import type { Feature, FeatureHost } from "../../api/index.js";
import type { ListedTool, OutputChecks } from "../../features/client/index.js";
import { quiet } from "../../ground/index.js";
import { type Revision, isObject } from "../../wire/index.js";
import type { ResponseCache } from "../cache/index.js";
import type { Watch } from "./changes.js";
import type { ExtensionParts } from "./client-extension.js";
import type { ConnectOptions, PluggedIn } from "./client-options.js";
import type { OutputChecksHost } from "./output-checks.js";

/**
 * The parts of a client that are created before the client itself, because some are loaded only if the options need
 * them.
 */
export interface ClientParts {
  readonly plugins?: readonly PluggedIn[];
  readonly answers?: readonly Feature[] | undefined;
  readonly extensions?: ExtensionParts | undefined;
}

export async function loadedParts(options: ConnectOptions): Promise<ClientParts> {
  const { extensions = [], onElicit, onSample, roots, onRoots } = options;
  const answers =
    (onElicit ?? onSample ?? roots ?? onRoots) &&
    (await import("./answers.js")).answerFeatures(options);
  const extended =
    extensions.length > 0
      ? (await import("./client-extension.js")).extensionParts(extensions)
      : undefined;
  return { answers, extensions: extended };
}

export interface LateCache {
  readonly feature: Feature;
  /** Loads the cache if the revision has results to store. Returns undefined if there is nothing to load. */
  agreed(revision: Revision): Promise<void> | undefined;
  load(): Promise<void>;
  clear(): void;
}

/**
 * Creates the cache for a client, if it has one. If headers are computed, requests may belong to different accounts, so
 * a cache is created only if the `cache` option asks for it.
 */
export function lateCache({ cache, headers, http, auth }: ConnectOptions): LateCache | undefined {
  const areFixed = typeof headers !== "function" && typeof http?.headers !== "function";
  if (cache === false || (cache === undefined && !areFixed)) return undefined;
  const account = auth && { partition: () => auth.account() };
  const options = { ...account, ...(typeof cache === "object" && cache) };
  const { defaultTtl = 0 } = options;
  let host!: FeatureHost;
  let loaded: ResponseCache | undefined;
  const load = async (): Promise<void> => {
    const { ResponseCache: Cache } = await import("../cache/index.js");
    loaded = new Cache(options);
    loaded.attach(host);
  };
  return {
    feature: {
      handlers: {},
      attach: (own) => {
        host = own;
      },
      notified: (...notifications) => loaded?.notified(...notifications),
      sending: [
        Object.assign((...sent: Parameters<ResponseCache["send"]>) => loaded!.send(...sent), {
          concerns: (...message: Parameters<ResponseCache["concerns"]>) =>
            loaded?.concerns(...message) ?? false,
        }),
      ],
    },
    agreed({ methods }) {
      const stores = defaultTtl > 0 || [...methods.values()].some(({ cacheable }) => cacheable);
      return stores && loaded === undefined ? load() : undefined;
    },
    load,
    clear: () => loaded?.clear(),
  };
}

function isToolList({ method }: { readonly method: string }): boolean {
  return method === "tools/list";
}

/** The checks for structured results, loaded when the client lists a tool with an output schema. */
export interface LateOutputChecks {
  current: OutputChecks | undefined;
  load(): Promise<void>;
  readonly feature: Feature;
  forget(): void;
}

export function lateOutputChecks(
  option: Exclude<ConnectOptions["checkOutput"], false>,
  host: OutputChecksHost,
): LateOutputChecks {
  /** The number of `forget` calls. A list requested before the latest call may be outdated. */
  let changes = 0;
  const learn = async (_message: unknown, send: () => Promise<unknown>): Promise<unknown> => {
    const before = changes;
    const result = await send();
    const tools = isObject(result) ? result["tools"] : undefined;
    if (!Array.isArray(tools)) return result;
    const hasSchemas = tools.some((tool) => isObject(tool) && tool["outputSchema"] !== undefined);
    if (late.current === undefined && hasSchemas) {
      await late.load();
      if (before !== changes) return result;
    }
    late.current?.learn(tools as readonly ListedTool[]);
    return result;
  };
  const late: LateOutputChecks = {
    current: undefined,
    async load() {
      const { connectedChecks } = await import("./output-checks.js");
      late.current ??= connectedChecks(option, host);
    },
    feature: { handlers: {}, sending: [Object.assign(learn, { concerns: isToolList })] },
    forget() {
      changes += 1;
      late.current?.forget();
    },
  };
  return late;
}

/** Creates a watch whose code is loaded on first use. */
export function lateWatch(load: () => Promise<Watch>): Watch {
  let watch: Watch | undefined;
  let loading: Promise<Watch> | undefined;
  let opening: Promise<void> | undefined;
  let isClosed = false;
  const loaded = async (): Promise<Watch> => {
    watch = await load();
    if (isClosed) watch.close();
    return watch;
  };
  const use = (work: (watch: Watch) => Promise<void>): Promise<void> => {
    if (watch) return work(watch);
    return quiet((loading ??= loaded()).then(work));
  };
  return {
    get opening() {
      return watch ? watch.opening : opening;
    },
    follow(member) {
      const followed = use((one) => one.follow(member));
      if (watch === undefined) opening = loading!.then((one) => one.opening);
      return followed;
    },
    unfollow(member) {
      void use(async (one) => one.unfollow(member));
    },
    subscribe: (uri) => use((one) => one.subscribe(uri)),
    unsubscribe: (uri) => use((one) => one.unsubscribe(uri)),
    renew: async () => {},
    close() {
      isClosed = true;
      watch?.close();
    },
  };
}
