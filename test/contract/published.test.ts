import { existsSync } from "node:fs";
import { join } from "node:path";
import { contractGuard } from "@mcp-codegen/contract";
import { connect, revisions } from "@mcp-codegen/universal";
import { beforeAll, expect, it } from "vitest";
import { build } from "../cli/build.js";
import type { ServerEntry } from "../interop/core/manifest.js";
import { executable } from "../interop/core/packages.js";
import { cacheFolder } from "../interop/core/places.js";
import servers from "../interop/servers.json" with { type: "json" };
import { describeWith } from "../support/conditional.js";
import { randomOf } from "../support/random.js";
import { ContractProject } from "./generated-code.js";
import { mutate, valueOf } from "./random-schemas.js";
import { generatedValidators, Verdicts } from "./schema-validators.js";

type Tools = Record<string, (args: object) => Promise<{ isError: boolean }>>;

/** The published servers that need nothing but themselves. `npm run interop` installs them, along with many more. */
const NAMES = ["everything", "filesystem", "memory", "sequential-thinking"].map(
  (name) => `@modelcontextprotocol/server-${name}`,
);

const entries = NAMES.map((name) => servers.find((entry) => entry.package === name) as ServerEntry);

const folderOf = (entry: ServerEntry): string =>
  join(cacheFolder(), "packages", `${entry.package}@${entry.version}`.replaceAll("/", "+"));

const isInstalled = entries.every((entry) => existsSync(folderOf(entry)));

describeWith(isInstalled, "what npm run interop installs", "a published server", () => {
  beforeAll(build, 120_000);

  it.each(entries.map((entry) => [entry.package, entry] as const))(
    "%s is locked to the same bytes in each revision, and called with a client that compiles",
    async (_, entry) => {
      using project = new ContractProject();
      project.put({ "note.txt": "A note" });
      const { file, args } = executable(folderOf(entry), entry);
      const fill = (text: string): string => text.replaceAll("{work}", project.path);
      const command = [file, ...args, ...(entry.stdio?.args ?? []).map(fill)];
      const env = Object.fromEntries(
        Object.entries(entry.stdio?.env ?? {}).map(([name, text]) => [name, fill(text)]),
      );
      const { newest, spoken } = await lockTwice(project, command);
      expect(spoken.length).toBeGreaterThan(1);
      project.put({ "mcp.lock.json": newest });
      const made = await project.cli("contract", "client", "it", "--out", "src/it");
      expect(made.code, made.stderr).toBe(0);
      expect(await project.compile()).toBe("");
      const { createIt, contract } = await project.load<{
        createIt(client: object): { tools: Tools };
        contract: { tools: { definition: Record<string, unknown> }[] };
      }>("it/index.ts");
      const target = {
        command: command[0]!,
        args: command.slice(1),
        env,
        stderr: "ignore",
      } as const;
      const client = await connect(target, { plugins: [contractGuard(contract as never)] });
      const { name, arguments: given } = entry.call!;
      const { tools } = createIt(client);
      const member = name.replace(/[^a-z0-9]+(.)/gi, (_match, letter: string) =>
        letter.toUpperCase(),
      );
      expect(await tools[member]!(JSON.parse(fill(JSON.stringify(given))) as object)).toMatchObject(
        {
          isError: false,
        },
      );
      await client.close();
      await expectSameVerdicts(project, contract.tools);
    },
    120_000,
  );
});

async function lockTwice(
  project: ContractProject,
  command: readonly string[],
): Promise<{ newest: string; spoken: string[] }> {
  const spoken: string[] = [];
  for (const { id } of revisions) {
    const lock = (file: string) =>
      project.cli("lock", "it", "--revision", id, "--out", file, "--", ...command);
    if ((await lock("a.json")).code !== 0) continue;
    spoken.push(id);
    expect((await lock("b.json")).code).toBe(0);
    expect(project.read("b.json")).toBe(project.read("a.json"));
  }
  return { newest: project.read("a.json"), spoken };
}

async function expectSameVerdicts(
  project: ContractProject,
  tools: readonly { readonly definition: Record<string, unknown> }[],
): Promise<void> {
  const random = randomOf(1);
  const schemas = tools
    .flatMap(({ definition }) => [definition["inputSchema"], definition["outputSchema"]])
    .filter((schema) => schema !== undefined) as Record<string, unknown>[];
  const validators = await generatedValidators(project, schemas, "verdicts");
  for (const [index, schema] of schemas.entries()) {
    const validator = validators[index];
    if (!validator) continue;
    const verdicts = new Verdicts(schema, validator);
    for (let times = 0; times < 50; times += 1)
      verdicts.compare(valueOf(times % 2 === 0 ? schema : mutate(schema, random), random));
  }
}
