import { readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { connect, type McpClient, revisions } from "@mcp-codegen/universal";
import type { ServerEntry } from "../../interop/core/manifest.js";
import { type Packages, programIn } from "../../interop/core/packages.js";
import { Scratch } from "../../interop/core/scratch.js";
import { root } from "../programs/workspace.js";

const PRELOADED = pathToFileURL(join(root, "test/sdk/servers/replace-sdk.mjs")).href;
const TIME = 90_000;
/** The revisions with a session. */
const HANDSHAKE = revisions.filter(({ id }) => id !== "2026-07-28");
const LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] as const;

interface Visit {
  readonly revision: string;
  /** The results by request, without the requests that are refused. */
  readonly answers: ReadonlyMap<string, unknown>;
  /** The number of SDK modules that were replaced. */
  readonly modules: number;
}

/** A published server with the SDK, compared with the same server with ours in its place. */
export interface Comparison {
  /** The number of SDK modules that were replaced. */
  readonly modules: number;
  readonly tools: number;
  /** The number of requests that the server answers with the SDK. */
  readonly requests: number;
  /** The requests with different results, such as `tools/list`. */
  readonly differences: ReadonlyMap<string, string>;
}

/**
 * Starts a published server twice over stdio, the second time with our packages in place of the SDK. Compares what it
 * lists and how it answers its call.
 *
 * @throws Error if it does not start, or imports nothing from the SDK that could be replaced
 */
export async function compareReplaced(
  server: ServerEntry,
  packages: Packages,
  ours: string,
): Promise<Comparison> {
  const folder = await packages.folder(server);
  const { revision, answers: before } = await visit(server, folder, HANDSHAKE);
  const agreed = HANDSHAKE.filter(({ id }) => id === revision);
  const { modules, answers: after } = await visit(server, folder, agreed, ours);
  if (modules === 0) throw new Error("nothing of the SDK was replaced: it is bundled");
  const differences = [...before.keys()].flatMap((request): [string, string][] => {
    const [was, is] = [before.get(request), after.get(request)];
    return isDeepStrictEqual(was, is) ? [] : [[request, firstDifference(was, is)]];
  });
  const { tools = [] } = (before.get("tools/list") ?? {}) as { tools?: unknown[] };
  return { modules, tools: tools.length, requests: before.size, differences: new Map(differences) };
}

/** @param ours - the folder with our packages, which replace the SDK */
async function visit(
  server: ServerEntry,
  folder: string,
  allowed: typeof revisions,
  ours?: string,
): Promise<Visit> {
  const scratch = new Scratch();
  try {
    const replaced = join(scratch.folder, "replaced");
    writeFileSync(replaced, "");
    const client = await start(server, folder, scratch, allowed, {
      ...(ours !== undefined && {
        REPLACEMENT: join(ours, "node_modules/@mcp-codegen/sdk"),
        REPLACED: replaced,
        NODE_OPTIONS: `--import=${PRELOADED}`,
      }),
    });
    try {
      const answers = await answersOf(client, server, scratch);
      const lines = readFileSync(replaced, "utf8").split("\n");
      return { revision: client.revision, answers, modules: new Set(lines).size - 1 };
    } finally {
      await client.close();
    }
  } finally {
    scratch.end();
  }
}

async function start(
  server: ServerEntry,
  folder: string,
  scratch: Scratch,
  allowed: typeof revisions,
  variables: Readonly<Record<string, string>>,
): Promise<McpClient> {
  const { args = [], env = {}, files = {} } = server.stdio ?? {};
  for (const [name, text] of Object.entries(files)) scratch.write(name, text);
  const fill = (text: string): string => scratch.fill(text);
  const program = programIn(folder, server);
  const own = Object.entries(env).map(([name, value]) => [name, fill(value)] as const);
  return connect(
    {
      command: program.file,
      args: [...program.args, ...args.map(fill)],
      env: scratch.environment({ ...Object.fromEntries(own), ...variables }),
      cwd: scratch.work,
      stderr: "keep",
      restart: false,
    },
    {
      revisions: allowed,
      eras: false,
      cache: false,
      onerror: () => {},
      timeout: TIME,
      signal: AbortSignal.timeout(TIME),
    },
  );
}

async function answersOf(
  client: McpClient,
  server: ServerEntry,
  scratch: Scratch,
): Promise<Visit["answers"]> {
  const answers = new Map<string, unknown>();
  const add = async (request: string, response: Promise<unknown>): Promise<void> => {
    const result = await response.catch(() => undefined);
    if (result === undefined) return;
    // Each start has its own folder.
    const text = JSON.stringify(result).replaceAll(scratch.folder, "");
    answers.set(request, JSON.parse(text, withoutDefaults));
  };
  for (const list of LISTS) await add(list, client.request(list, {}));
  if (server.call !== undefined) {
    const params = JSON.parse(scratch.fill(JSON.stringify(server.call))) as { name: string };
    await add(`tools/call ${params.name}`, client.request("tools/call", params));
  }
  return answers;
}

/**
 * Omits a JSON Schema's dialect and, because it is the default, the statement that a tool does not run as a task. Used
 * as a JSON reviver.
 */
function withoutDefaults(key: string, value: unknown): unknown {
  const isDefault =
    key === "$schema" ||
    (key === "execution" && isDeepStrictEqual(value, { taskSupport: "forbidden" }));
  return isDefault ? undefined : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function shortened(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 120);
}

/** Returns the place and the values of the first difference between two results. */
function firstDifference(was: unknown, is: unknown, path = ""): string {
  if (isObject(was) && isObject(is)) {
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
      if (!isDeepStrictEqual(was[key], is[key]))
        return firstDifference(was[key], is[key], `${path}/${key}`);
    }
  }
  return `${path}: ${shortened(was)}, with ours ${shortened(is)}`;
}
