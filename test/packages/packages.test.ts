import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pack, packageFolders, type Packed, root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";

const fileIn = (tarball: string, file: string): Promise<string> =>
  runOrThrow("tar", ["-xzOf", tarball, `package/${file}`]);

describe.each(packageFolders())("package %s", (folder) => {
  let destination: string;
  let packed: Packed;

  beforeAll(async () => {
    destination = mkdtempSync(join(tmpdir(), "mcp-codegen-pack-"));
    packed = await pack(folder, destination);
  }, 60_000);

  afterAll(() => rmSync(destination, { recursive: true, force: true }));

  it("satisfies publint", async () => {
    const tarball = new Uint8Array(readFileSync(packed.tarball)).buffer;
    const { messages } = await publint({ strict: true, pack: { tarball } });
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as object;
    // Imports inside of a package have no conditions: only the map in `browser` replaces one of its files.
    const faults = messages.filter(({ code }) => code !== "USE_EXPORTS_OR_IMPORTS_BROWSER");
    expect(faults.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  it("resolves with its types for ES modules everywhere", async () => {
    const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
    const args = [attw, packed.tarball, "--profile", "esm-only", "--format", "ascii", "--no-emoji"];
    const { code, stdout } = await run(process.execPath, args);
    expect(code, stdout).toBe(0);
  }, 60_000);

  it("has a manifest and a README for users: without scripts, and without links into the repository", async () => {
    const { tarball } = packed;
    const manifest = JSON.parse(await fileIn(tarball, "package.json")) as object;
    expect(Object.keys(manifest)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(scripts|devDependencies|workspaces)$/)]),
    );
    const links = [...(await fileIn(tarball, "README.md")).matchAll(/\]\((?!https?:|#)([^)#]*)/g)];
    const dead = links.map(([, to = ""]) => to).filter((to) => !packed.files.includes(to));
    expect(dead).toEqual([]);
  });

  it("ships what it runs and nothing else", () => {
    expect(existsSync(packed.tarball)).toBe(true);
    const strange = packed.files.filter((file) =>
      /^(test|generated|runtime|\.ci)\/|node_modules|\.tsbuildinfo$/.test(file),
    );
    expect(strange).toEqual([]);
    expect(packed.files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
  });
});

it("dependencies of the repository support the oldest Node that it supports", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly engines?: { readonly node?: string } }>>;
  };
  const newer = Object.entries(packages).filter(([, { engines }]) =>
    (engines?.node ?? "").split("||").every((range) => /^\s*(?:>=|\^)\s*2[1-9]/.test(range)),
  );
  expect(newer.map(([path]) => path)).toEqual([]);
});
