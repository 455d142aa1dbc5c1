import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packages } from "../../.github/packages.mjs";
import { pack, packageFolders, type Packed, root } from "../support/pack.js";
import { runOrThrow } from "../support/run.js";

const fileIn = (tarball: string, file: string): Promise<string> =>
  runOrThrow("tar", ["-xzOf", tarball, `package/${file}`]);

it("at most fourteen names are published, each after those that it needs", () => {
  const names = packages.map(({ name }) => name);
  expect(names.length).toBeLessThanOrEqual(14);
  for (const [index, { name: own, needs }] of packages.entries()) {
    // The command line loads some packages on demand that are built on it.
    const later = packages.slice(index + 1).filter((one) => !one.needs.includes(own));
    expect(later.filter(({ name }) => needs.includes(name))).toEqual([]);
  }
});

// The dry run of a release checks the same archives with publint and Are The Types Wrong.
describe.each(packageFolders())("package %s", (folder) => {
  let destination: string;
  let packed: Packed;

  beforeAll(async () => {
    destination = mkdtempSync(join(tmpdir(), "mcp-codegen-pack-"));
    packed = await pack(folder, destination);
  }, 60_000);

  afterAll(() => rmSync(destination, { recursive: true, force: true }));

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
  const { packages: locked } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  ) as {
    readonly packages: Readonly<Record<string, { readonly engines?: { readonly node?: string } }>>;
  };
  const newer = Object.entries(locked).filter(([, { engines }]) =>
    (engines?.node ?? "").split("||").every((range) => /^\s*(?:>=|\^)\s*2[1-9]/.test(range)),
  );
  expect(newer.map(([path]) => path)).toEqual([]);
});
