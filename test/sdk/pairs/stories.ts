import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One run of a client with its server. */
export interface Leg {
  readonly story: string;
  readonly transport: "stdio" | "http";
  readonly era: "modern" | "legacy";
  /** The path of the endpoint. */
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeout: number;
  /** Text that the client must print. */
  readonly expected: string;
}

/** The member `example` of a story's `package.json`, which says how to run the story. */
interface Config {
  readonly transports?: readonly Leg["transport"][];
  readonly era?: "dual" | Leg["era"];
  readonly path?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly expects?: { readonly stdout?: string };
  readonly excluded?: string;
}

const NO_STORIES = new Set(["shared", "guides", "server-quickstart", "client-quickstart"]);

/** Returns the legs of the stories that check themselves, as the SDK's own runner has them. */
export function legs(examples: string): Leg[] {
  return readdirSync(examples)
    .toSorted()
    .filter((story) => !NO_STORIES.has(story) && existsSync(join(examples, story, "client.ts")))
    .flatMap((story) => {
      const file = join(examples, story, "package.json");
      const { example = {} } = existsSync(file)
        ? (JSON.parse(readFileSync(file, "utf8")) as { example?: Config })
        : {};
      return example.excluded ? [] : legsOf(story, example);
    });
}

function legsOf(story: string, config: Config): Leg[] {
  const { transports = ["stdio", "http"], era = "dual", path = "/mcp", env = {} } = config;
  const eras = era === "dual" ? (["modern", "legacy"] as const) : [era];
  const timeout = config.timeoutMs ?? 30_000;
  const expected = config.expects?.stdout ?? "";
  return transports.flatMap((transport) =>
    eras.map((one): Leg => ({ story, transport, era: one, path, env, timeout, expected })),
  );
}
