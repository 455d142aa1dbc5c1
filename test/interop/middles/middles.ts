import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Program } from "../core/child.js";
import type { Over, Package } from "../core/manifest.js";
import { executable, type Packages } from "../core/packages.js";
import { interop, root } from "../core/places.js";

const run = promisify(execFile);

/** The values to fill into a command line. */
export interface Places {
  readonly port: number;
  /** The address of the server behind, if that server listens. */
  readonly url: string;
  /** The command for the server behind, if the middle starts it. */
  readonly command: readonly string[];
}

/** A middle that is installed. */
export interface Middle {
  readonly name: string;
  readonly version: string;
  /** The command line to show to readers. */
  readonly shown: string;
  readonly front: Over;
  readonly behind: Over;
  readonly headers?: Readonly<Record<string, string>>;
  program(places: Places): Program;
}

/** A middle that cannot be started on this machine, and the reason. */
export interface Absent {
  readonly name: string;
  readonly why: string;
}

interface Published extends Package {
  readonly name: string;
  readonly front: Over;
  readonly behind: Over;
  readonly shown: string;
  args(places: Places): readonly string[];
}

const PUBLISHED: readonly Published[] = [
  {
    name: "mcp-proxy",
    package: "mcp-proxy",
    version: "6.7.19",
    front: "http",
    behind: "stdio",
    shown: "mcp-proxy --upstreamProtocol auto -- <command>",
    args: ({ port, command }) => [
      "--port",
      String(port),
      "--host",
      "127.0.0.1",
      "--server",
      "stream",
      "--upstreamProtocol",
      "auto",
      "--",
      ...command,
    ],
  },
  {
    name: "mcp-remote",
    package: "mcp-remote",
    version: "0.15.1",
    bin: "dist/proxy.js",
    front: "stdio",
    behind: "http",
    shown: "mcp-remote <url> --protocol auto",
    args: ({ url }) => [url, "--allow-http", "--protocol", "auto"],
  },
  {
    name: "supergateway",
    package: "supergateway",
    version: "4.0.0",
    front: "http",
    behind: "stdio",
    shown: 'supergateway --stdio "<command>" --outputTransport streamableHttp --stateful',
    args: ({ port, command }) => [
      "--stdio",
      command.join(" "),
      "--outputTransport",
      "streamableHttp",
      "--stateful",
      "--port",
      String(port),
      "--logLevel",
      "none",
    ],
  },
];

const FASTMCP = "4.0.10";
const TOKEN = "middles";

/**
 * Installs middles: ours, in both directions, and the others.
 *
 * @param only - text that their names must contain
 */
export async function findMiddles(
  packages: Packages,
  cache: string,
  only: string,
): Promise<readonly (Middle | Absent)[]> {
  const others = PUBLISHED.filter(({ name }) => name.includes(only)).map(npm(packages));
  const own = ours().filter(({ name }) => name.includes(only));
  const python = "FastMCP".includes(only) ? await fastmcp(cache) : [];
  return [...own, ...(await Promise.all(others)), ...python];
}

function ours(): Middle[] {
  const version = "this repository";
  const [file, bin] = [process.execPath, join(root, "generator/dist/cli/bin.js")];
  return [
    {
      name: "mcp-codegen bridge, stdio to HTTP",
      version,
      shown: "mcp-codegen bridge --http --token-env TOKEN -- <command>",
      front: "http",
      behind: "stdio",
      headers: { Authorization: `Bearer ${TOKEN}` },
      program: ({ port, command }) => ({
        file,
        args: [bin, "bridge", `--http=${port}`, "--token-env", "TOKEN", "--", ...command],
        env: { TOKEN },
      }),
    },
    {
      name: "mcp-codegen bridge, HTTP to stdio",
      version,
      shown: "mcp-codegen bridge <url>",
      front: "stdio",
      behind: "http",
      program: ({ url }) => ({ file, args: [bin, "bridge", url] }),
    },
  ];
}

const npm =
  (packages: Packages) =>
  async (entry: Published): Promise<Middle | Absent> => {
    const { name, version, front, behind, shown } = entry;
    try {
      const { file, args } = executable(await packages.folder(entry), entry);
      const program = (places: Places) => ({ file, args: [...args, ...entry.args(places)] });
      return { name, version, front, behind, shown, program };
    } catch (error) {
      return { name: `${name} ${version}`, why: reasonOf(error) };
    }
  };

/**
 * Installs FastMCP, together with the official Python SDK, once into its own environment.
 *
 * @returns the interpreter, or the reason why there is none
 */
export async function findPython(cache: string): Promise<string | Absent> {
  const folder = join(cache, "packages", `fastmcp@${FASTMCP}`);
  const file = join(folder, "bin/python");
  try {
    if (!existsSync(join(folder, "bin/fastmcp"))) {
      await run("python3", ["-m", "venv", folder]);
      await run(file, ["-m", "pip", "install", "--quiet", `fastmcp==${FASTMCP}`], {
        timeout: 300_000,
      });
    }
    execFileSync(file, ["-c", "import fastmcp"], { stdio: "pipe" });
    return file;
  } catch (error) {
    return { name: `FastMCP ${FASTMCP}`, why: reasonOf(error) };
  }
}

/** Returns FastMCP's proxy, which connects in two ways. */
async function fastmcp(cache: string): Promise<readonly (Middle | Absent)[]> {
  const file = await findPython(cache);
  if (typeof file !== "string") return [file];
  const program = join(interop, "programs/fastmcp-proxy.py");
  return ["", "auto"].map((mode): Middle => ({
    name: mode === "" ? "FastMCP" : `FastMCP, ${mode}`,
    version: FASTMCP,
    shown: `create_proxy(StdioTransport(<command>)${mode && `, mode="${mode}"`})`,
    front: "http",
    behind: "stdio",
    program: ({ port, command }) => ({
      file,
      args: [program, String(port), ...command],
      env: { PROXY_MODE: mode },
    }),
  }));
}

function reasonOf(error: unknown): string {
  const { stderr, message } = error as Error & { readonly stderr?: Buffer | string };
  const lines = String(stderr || message)
    .trim()
    .split("\n");
  return lines.at(-1)!.slice(0, 200);
}
