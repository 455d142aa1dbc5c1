import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bench } from "../core/places.js";
import type { Section, SectionResult, Table } from "../core/section.js";
import { type Footprint, footprintOf } from "../drivers/size/footprint.js";
import { type Purpose, tryOut } from "../drivers/size/trial.js";
import { moved, pinned } from "../drivers/stdio/servers.js";

const programs = ["stdio server", "HTTP server", "client"] as const;

/** The HTTP clients that show what a login adds to them. */
const logins = [
  "without a login",
  "with a login",
  "with a login, loopback() and fileStore()",
] as const;

const purposes: readonly Purpose[] = [...programs, ...logins];

const files: Readonly<Record<Purpose, string>> = {
  "stdio server": "stdio",
  "HTTP server": "http",
  client: "client",
  "without a login": "http-client",
  "with a login": "login",
  "with a login, loopback() and fileStore()": "loopback",
};

interface Contestant {
  readonly name: string;
  /** The folder below `programs/size`. */
  readonly folder: string;
  /** The packages that a project names in its `package.json` to write such a program. */
  readonly packages: Partial<Record<Purpose, readonly string[]>>;
}

/** Assigns the same packages to several purposes. */
const forAll = (names: readonly string[], ...ones: Purpose[]): Contestant["packages"] =>
  Object.fromEntries(ones.map((purpose) => [purpose, names]));

const ours = (name: string): Contestant["packages"] => ({
  ...forAll([name], ...programs, "without a login"),
  ...forAll([name, "@mcp-codegen/auth"], logins[1], logins[2]),
});

const theirs = forAll(
  ["@modelcontextprotocol/sdk", "zod"],
  ...programs,
  "without a login",
  "with a login",
);

const sdk2 = ["@modelcontextprotocol/server", "zod"];
const tmcp = ["tmcp", "@tmcp/adapter-zod", "zod"];

const contestants: readonly Contestant[] = [
  { name: pinned, folder: "pinned", packages: ours("@mcp-codegen/2025-11-25") },
  { name: "universal", folder: "universal", packages: ours("@mcp-codegen/universal") },
  { name: moved, folder: "moved", packages: forAll(["@mcp-codegen/sdk", "zod"], ...programs) },
  { name: "sdk 1.32", folder: "sdk-1", packages: theirs },
  {
    name: "sdk 2.4",
    folder: "sdk-2",
    packages: {
      "stdio server": sdk2,
      "HTTP server": [...sdk2, "@modelcontextprotocol/node"],
      ...forAll(["@modelcontextprotocol/client"], "client", "without a login", "with a login"),
    },
  },
  {
    name: "tmcp 1.20",
    folder: "tmcp",
    packages: {
      "stdio server": [...tmcp, "@tmcp/transport-stdio"],
      "HTTP server": [...tmcp, "@tmcp/transport-http", "@hono/node-server"],
    },
  },
  {
    name: "mcp-lite 0.10",
    folder: "mcp-lite",
    packages: { "HTTP server": ["mcp-lite", "@hono/node-server", "zod"] },
  },
];

/** The case of a project that has both servers and clients. */
const ALL = "all three";

type Sizes = Partial<Footprint> & { readonly bundle?: number };

/** Measures the sizes, by contestant and case. */
async function sizesIn(folder: string): Promise<ReadonlyMap<string, Sizes>> {
  const tasks = contestants.flatMap(({ name, folder: source, packages }) =>
    purposes.flatMap((purpose) => {
      const names = packages[purpose];
      const path = join(source, `${files[purpose]}.mjs`);
      const input = join(bench, "programs/size", path);
      return names ? [{ name, purpose, names, input, output: join(folder, path) }] : [];
    }),
  );
  const args = [join(bench, "programs/size/bundle.mjs"), JSON.stringify(tasks)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const bundles = JSON.parse(stdout) as number[];
  const servers = {
    stdio: join(folder, "pinned/stdio.mjs"),
    http: join(folder, "pinned/http.mjs"),
  };
  const sizes = new Map<string, Sizes>();
  for (const [index, { name, purpose, names, output }] of tasks.entries()) {
    await tryOut(output, purpose, servers);
    sizes.set(`${name} ${purpose}`, { ...(await footprintOf(names)), bundle: bundles[index]! });
  }
  for (const { name, packages } of contestants) {
    const isComplete = programs.every((purpose) => packages[purpose]);
    const names = new Set(programs.flatMap((purpose) => packages[purpose] ?? []));
    if (isComplete) sizes.set(`${name} ${ALL}`, await footprintOf([...names]));
  }
  return sizes;
}

async function run(): Promise<SectionResult> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-codegen-bench-")));
  try {
    const sizes = await sizesIn(folder);
    const table = (
      head: Pick<Table, "id" | "title" | "unit" | "cases">,
      figure: keyof Sizes,
      scale = 1,
    ): Table => ({
      ...head,
      rows: contestants.map(({ name }) => ({
        contestant: name,
        cells: head.cases.map((one) => {
          const size = sizes.get(`${name} ${one}`)?.[figure];
          return size === undefined ? undefined : [size / scale];
        }),
      })),
      baseline: "universal",
    });
    const cases = [...programs, ALL];
    return {
      tables: [
        table({ id: "install", title: "Installed", unit: "kB", cases }, "bytes", 1000),
        table({ id: "packages", title: "Packages", unit: "count", cases }, "packages"),
        table({ id: "bundle", title: "Bundle", unit: "kB", cases: programs }, "bundle", 1000),
        table(
          { id: "login", title: "Bundle of a client over HTTP", unit: "kB", cases: logins },
          "bundle",
          1000,
        ),
        table(
          { id: "login-install", title: "Installed for it", unit: "kB", cases: logins },
          "bytes",
          1000,
        ),
      ],
      notes: [
        "Installed is what npm puts into `node_modules` for the packages that a program names. The packages of the others come with `zod`, where a program needs it to say what the arguments of a tool are; ours take JSON Schema as it is, or any library that follows Standard Schema.",
        "All bundles are of the same program: a tool without arguments, or a client that calls it. `one revision` is 2025-11-25, with handlers by method.",
        "A login is the authorization code grant with PKCE: the client finds the authorization server, registers, sends the user to a URL, and sees where they come back. With the official SDK, the program writes the class that keeps the tokens, and its HTTP client has all of the rest in it whether it logs in or not. `loopback()` opens the browser and waits on a port of this machine, `fileStore()` keeps the tokens: both have no counterpart in the SDK.",
        "`mcp-lite` has neither a stdio server nor a client, `tmcp` has no client.",
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const section: Section = {
  id: "size",
  title: "Size",
  about:
    "What has to be installed, and what comes of it as one file: bundles are made by esbuild (for Node, ES modules, minified, without comments) from the packages as they are published, and compressed by `gzip -9`. Each bundle is run once and has to answer. Sizes do not vary, so there is one round.",
  run,
};
