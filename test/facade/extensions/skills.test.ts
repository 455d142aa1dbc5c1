import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import { connect, connectInMemory, McpServer } from "@mcp-codegen/universal";
import {
  type GivenSkill,
  MAX_SKILL_FILES,
  parseFrontmatter,
  registerSkills,
  SKILLS,
  skillsOf,
  type SkillEntry,
  SkillError,
} from "@mcp-codegen/universal/skills";
import type { Skill } from "@mcp-codegen/universal/extensions/skills";
import { revision as previous } from "@mcp-codegen/universal/2025-11-25";
import { readSkills } from "../../../runtime/skills/node/index.js";

const main = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: Does ${name}\n${more}---\n\n# ${name}\n`;
const forms: GivenSkill = {
  path: "pdf-processing",
  files: {
    "SKILL.md": main("pdf-processing", 'license: MIT\nmetadata:\n  version: "2"\n'),
    "references/FORMS.md": "# Forms",
    "templates/eu/invoice.md": "Rechnung",
    "logo.png": new Uint8Array([0x89, 0x50, 0, 0xff]),
  },
};
const refunds: GivenSkill = {
  path: "acme/billing/refunds",
  files: { "SKILL.md": main("refunds") },
};
const hidden: GivenSkill = { path: "hidden", files: { "SKILL.md": main("hidden") }, listed: false };

async function serving(skills: readonly GivenSkill[], options = {}): Promise<McpServer> {
  const server = new McpServer({ name: "docs", version: "1.0.0" });
  await registerSkills(server, skills, options);
  return server;
}

async function connected(server: McpServer, options = {}) {
  const client = await connect(await connectInMemory(server), { extensions: [SKILLS], ...options });
  return { client, skills: skillsOf(client) };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("skills", () => {
  const folders: string[] = [];
  afterAll(() => folders.forEach((path) => rmSync(path, { recursive: true, force: true })));

  function folder(files: Readonly<Record<string, string>>): string {
    const root = mkdtempSync(join(tmpdir(), "mcp-codegen-skills-"));
    folders.push(root);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return root;
  }

  it("have the types of the generated extension", () => {
    expectTypeOf<Skill>().toExtend<SkillEntry>();
  });

  it.each(["newest", "session"])("are listed, found and read: %s", async (kind) => {
    const options = kind === "session" ? { revisions: [previous] } : {};
    const { client, skills } = await connected(
      await serving([forms, refunds, hidden], { pageSize: 1 }),
      options,
    );
    const [first, second, ...others] = await all(skills.list());
    expect(others).toEqual([]);
    expect(first?.frontmatter).toEqual({
      name: "pdf-processing",
      description: "Does pdf-processing",
      license: "MIT",
      metadata: { version: "2" },
    });
    expect(second?.uri).toBe("skill://acme/billing/refunds/SKILL.md");
    expect(await skills.get("skill://hidden/SKILL.md")).toMatchObject({
      frontmatter: { name: "hidden" },
    });
    expect(await skills.get(first!.uri)).toEqual(first);
    const { text } = await skills.read(first!);
    expect(text).toBe(forms.files["SKILL.md"]);
    const logo = await skills.read(first!, "skill://pdf-processing/logo.png");
    expect({ ...logo, bytes: [...logo.bytes] }).toEqual({
      uri: "skill://pdf-processing/logo.png",
      mimeType: "image/png",
      text: undefined,
      bytes: [0x89, 0x50, 0, 0xff],
    });
    await expect(skills.get("skill://nothing/SKILL.md")).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it("have freshness, and are listed as resources by name", async () => {
    const { client } = await connected(
      await serving([refunds], { cacheHint: { ttlMs: 5000, cacheScope: "public" } }),
    );
    const { requests } = SKILLS;
    expect(await client.request(requests["skills/list"])).toMatchObject({
      ttlMs: 5000,
      cacheScope: "public",
    });
    const { uri } = (await client.request(requests["skills/list"])).skills[0]!;
    expect(await client.request(requests["skills/get"], { uri })).toMatchObject({ ttlMs: 5000 });
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([
      { uri, name: "refunds", description: "Does refunds", mimeType: "text/markdown" },
    ]);
    await client.close();
  });

  it("can be listed by directory", async () => {
    const { client, skills } = await connected(await serving([forms, refunds], { pageSize: 2 }));
    expect(skills.hasDirectories).toBe(true);
    const names = async (uri: string) =>
      (await all(skills.directory(uri))).map(({ name, mimeType }) => `${name} ${mimeType}`);
    expect(await names("skill://pdf-processing")).toEqual([
      "SKILL.md text/markdown",
      "references inode/directory",
      "templates inode/directory",
      "logo.png image/png",
    ]);
    expect(await names("skill://pdf-processing/templates")).toEqual(["eu inode/directory"]);
    expect(await names("skill://acme")).toEqual(["billing inode/directory"]);
    for (const uri of ["skill://pdf-processing/SKILL.md", "skill://nothing", "skill://acme/"]) {
      await expect(names(uri), uri).rejects.toMatchObject({ code: -32602 });
    }
    await client.close();
  });

  it.each([
    [
      "another digest",
      (one: SkillEntry) => changed(one, { digest: `sha256:${"0".repeat(64)}` }),
      "its digest is not that",
    ],
    ["another size", (one: SkillEntry) => changed(one, { size: 1 }), "not 1"],
    [
      "other frontmatter",
      (one: SkillEntry) => ({ ...one, frontmatter: { ...one.frontmatter, extra: 1 } }),
      "frontmatter",
    ],
    [
      "too many bytes",
      (one: SkillEntry) => changed(one, { size: 17 * 1024 * 1024 }),
      "at most 16777216",
    ],
    [
      "another name",
      (one: SkillEntry) => ({ ...one, frontmatter: { name: "b", description: "" } }),
      "the name of the skill",
    ],
    [
      "no digests",
      (one: SkillEntry) => ({ ...one, resources: "dynamic" as const }),
      "allowDynamic",
    ],
    [
      "a file of another skill",
      (one: SkillEntry) => changed(one, { uri: "skill://other/x" }),
      "is not among",
    ],
    ["no such file", (one: SkillEntry) => ({ ...one, resources: [] }), "is not among"],
  ])("are rejected by clients with %s", async (_, edit, problem) => {
    const { client, skills } = await connected(await serving([refunds]));
    const entry = await skills.get("skill://acme/billing/refunds/SKILL.md");
    await expect(skills.read(edit(entry))).rejects.toThrow(problem);
    await expect(skills.read(edit(entry))).rejects.toThrow(SkillError);
    const dynamic = { ...entry, resources: "dynamic" as const };
    expect((await skills.read(dynamic, entry.uri, { allowDynamic: true })).text).toBe(
      refunds.files["SKILL.md"],
    );
    const { frontmatter } = entry;
    const own = { parseFrontmatter: () => frontmatter };
    expect((await skills.read(entry, entry.uri, own)).uri).toBe(entry.uri);
    const otherwise = { parseFrontmatter: () => ({ name: "refunds" }) };
    await expect(skills.read(entry, entry.uri, otherwise)).rejects.toThrow("frontmatter");
    await expect(skills.read(entry, "skill://acme/billing/refunds/b.md")).rejects.toThrow(
      "does not list it",
    );
    await client.close();
  });

  it.each([
    ["without SKILL.md", { path: "a", files: { "a.md": "" } }, "must have a SKILL.md"],
    ["without frontmatter", { path: "a", files: { "SKILL.md": "# a" } }, "frontmatter between"],
    [
      "in a folder of another name",
      { path: "b", files: { "SKILL.md": main("a") } },
      "the name of the skill",
    ],
    [
      "with a name of its own kind",
      { path: "A", files: { "SKILL.md": main("A") } },
      'the name "A"',
    ],
    [
      "above its folder",
      { path: "a", files: { "SKILL.md": main("a"), "../x": "" } },
      "must be in the folder",
    ],
    [
      "with too many files",
      { path: "a", files: many(MAX_SKILL_FILES) },
      "513 files; a skill may have at most 512",
    ],
    [
      "with numbers as metadata",
      { path: "a", files: { "SKILL.md": main("a", "metadata:\n  version: 2\n") } },
      "in quotes",
    ],
    [
      "with a license that is not a string",
      { path: "a", files: { "SKILL.md": main("a", "license: 1\n") } },
      "`license`",
    ],
    [
      "with a long description",
      { path: "a", files: { "SKILL.md": main("a").replace("Does a", "x".repeat(1025)) } },
      "1024 characters",
    ],
    [
      "without a path",
      { path: "a//b", files: { "SKILL.md": main("b") } },
      "must not have empty segments",
    ],
  ])("are rejected by servers %s", async (_, skill: GivenSkill, problem) => {
    await expect(serving([skill])).rejects.toThrow(problem);
  });

  it("have one path each, and at least one exists", async () => {
    await expect(serving([])).rejects.toThrow("needs at least one skill");
    await expect(serving([refunds, refunds])).rejects.toThrow("the same path");
  });

  it("are available to clients that do not declare the extension, because only servers do", async () => {
    const client = await connect(await connectInMemory(await serving([refunds])));
    expect((await client.request(SKILLS.requests["skills/list"])).skills).toHaveLength(1);
    await client.close();
  });

  it("are requested only from servers that declare them", async () => {
    const plain = await connect(
      await connectInMemory(new McpServer({ name: "plain", version: "1.0.0" })),
      {
        extensions: [SKILLS],
      },
    );
    expect(() => skillsOf(plain)).toThrow("the server has no skills");
    await plain.close();
  });

  it("are read from a folder, including skills inside skills", async () => {
    const root = folder({
      "outer/SKILL.md": main("outer"),
      "outer/inner/SKILL.md": main("inner"),
      "outer/inner/notes.txt": "x",
      "group/other/SKILL.md": main("other"),
      "outer/.git/config": "secret",
      "README.md": "no skill",
    });
    const given = await readSkills(root);
    expect(given.map(({ path, files }) => [path, Object.keys(files)])).toEqual([
      ["group/other", ["SKILL.md"]],
      ["outer", ["SKILL.md", "inner/SKILL.md", "inner/notes.txt"]],
      ["outer/inner", ["SKILL.md", "notes.txt"]],
    ]);
    const { client, skills } = await connected(await serving(given));
    expect((await all(skills.list())).map(({ frontmatter }) => frontmatter.name)).toEqual([
      "other",
      "outer",
      "inner",
    ]);
    await client.close();
    const large = join(root, "outer/inner/large");
    mkdirSync(large);
    // These are sparse files: reading them would take gigabytes.
    for (let part = 0; part < 300; part += 1) {
      writeFileSync(join(large, String(part)), "");
      truncateSync(join(large, String(part)), 16 * 2 ** 20);
    }
    await expect(readSkills(root)).rejects.toThrow("in all its files");
    rmSync(large, { recursive: true });
    symlinkSync("/etc/hostname", join(root, "outer/link"));
    await expect(readSkills(root)).rejects.toThrow("regular files only");
  });
});

describe("frontmatter", () => {
  it.each([
    ["a: text # comment", { a: "text" }],
    ['a: "x: \\"y\\" # z"', { a: 'x: "y" # z' }],
    ["a: 'it''s'", { a: "it's" }],
    [
      "a: 1\nb: -1.5\nc: true\nd: null\ne:\nf: ~\ng: 1.0.0\nh: 0x1f",
      { a: 1, b: -1.5, c: true, d: null, e: null, f: null, g: "1.0.0", h: 31 },
    ],
    ["a:\n  b:\n    c: x\n  d: y", { a: { b: { c: "x" }, d: "y" } }],
    ["a:\n  - x\n  - 'y'\nb:\n- 1", { a: ["x", "y"], b: [1] }],
    ["a: [x, 'y, z', 2]\nb: []", { a: ["x", "y, z", 2], b: [] }],
    ["a: one\n  two\n  three", { a: "one two three" }],
    ["a: |\n  x\n   y\n\n  z\nb: 1", { a: "x\n y\n\nz\n", b: 1 }],
    ["a: >-\n  x\n  y\n\n  z", { a: "x y\nz" }],
    ["a: |-\n  x\n", { a: "x" }],
    ["# only\n\na: https://example.com:80/x", { a: "https://example.com:80/x" }],
    ["allowed-tools: Bash(git:*) Read", { "allowed-tools": "Bash(git:*) Read" }],
    ["__proto__: x", JSON.parse('{"__proto__":"x"}') as object],
    ["a: { b: 1 }\nc: [[x]]\nd:\n  - e: 1", { a: { b: 1 }, c: [["x"]], d: [{ e: 1 }] }],
  ])("is read as YAML: %s", (yaml, expected) => expect(read(yaml)).toEqual(expected));

  it.each([
    ["a: &anchor x\nb: *anchor", "Alias"],
    ["a: *alias", "Alias"],
    ["a: !own x", "line 4 of the frontmatter"],
    ["a: !!binary eA==", "line 4 of the frontmatter"],
    ["a: x: y", "line 4 of the frontmatter"],
    ["a: x\na: y", "line 5 of the frontmatter"],
    ["a:\n    b: x\n  c: y", "line 6 of the frontmatter"],
    ["a: [x", "of the frontmatter"],
    ["just text", "line 4 of the frontmatter"],
    ['a: "x', "of the frontmatter"],
    ["a: .inf", "not a JSON number"],
    ["? [a]\n: b", "line 4 of the frontmatter"],
    [`a: ${"[".repeat(33)}`, "at most 32 levels"],
    [`a: ${"- ".repeat(33)}`, "of the frontmatter"],
  ])("is rejected if it is invalid, or not JSON: %s", (yaml, problem) => {
    expect(() => read(yaml)).toThrow(problem);
    expect(() => read(yaml)).toThrow(SyntaxError);
  });

  it("has at most 16,384 characters", () => {
    expect(parseFrontmatter(frontmatterOf(16_384)).description).toHaveLength(16_362);
    for (const length of [16_385, 16_387])
      expect(() => parseFrontmatter(frontmatterOf(length))).toThrow("at most 16384 characters");
    expect(() => parseFrontmatter(`${frontmatterOf(16_384)}x`)).toThrow("at most 16384 characters");
  });

  it("has a name and a description", () => {
    expect(() => parseFrontmatter("---\nname: a\n---\n")).toThrow("`description`");
    expect(() => parseFrontmatter("---\nname: 1\ndescription: b\n---\n")).toThrow("`name`");
  });
});

function frontmatterOf(length: number): string {
  const start = "name: a\ndescription: ";
  return `---\n${start}${"b".repeat(length - start.length - 1)}\n---`;
}

/** Returns an entry whose first file is changed. */
function changed(entry: SkillEntry, change: object): SkillEntry {
  const [first, ...others] = entry.resources as [object, ...object[]];
  return { ...entry, resources: [{ ...first, ...change }, ...others] as never };
}

function many(count: number): Record<string, string> {
  const files = Array.from({ length: count }, (_, index) => [`f${index}.md`, ""]);
  return { "SKILL.md": main("a"), ...(Object.fromEntries(files) as Record<string, string>) };
}

/** Returns the frontmatter fields except name and description. */
function read(yaml: string): object {
  const {
    name: _,
    description: __,
    ...rest
  } = parseFrontmatter(`---\nname: a\ndescription: b\n${yaml}\n---\n`);
  return rest;
}
