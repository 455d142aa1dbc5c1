import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { createMcpHandler, McpServer as OfficialServer } from "@modelcontextprotocol/server";
import { memorySkillFiles, SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { describe, expect, onTestFinished, test } from "vitest";
import { connect, createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { registerSkills, SKILLS, skillsOf } from "@mcp-codegen/universal/skills";
import { listen } from "@mcp-codegen/runtime/http/node";

const main = `---
name: refunds
description: "Refund: what a customer paid"
license: MIT
metadata:
  version: "2"
tags: [money, 1, true]
notes: |
  Two
    lines
summary: >-
  folded
  text
---

# Refunds
`;
const logo = new Uint8Array([0x89, 0x50, 0, 0xff]);
const files = { "SKILL.md": main, "templates/email.md": "Dear customer", "logo.png": logo };
const ROOT = "skill://refunds";

describe("skills and the official SDK", () => {
  test.each(["2026-07-28", "2025-11-25"])(
    "the official client reads the skills of our server: %s",
    async (revision) => {
      const server = new McpServer({ name: "docs", version: "1.0.0" });
      await registerSkills(server, [{ path: "refunds", files }]);
      const listening = await listen(createHttpHandler(server), { port: 0, path: "/mcp" });
      onTestFinished(() => void listening.close());
      const url = new URL(listening.url);
      const negotiation =
        revision === "2026-07-28"
          ? { versionNegotiation: { mode: { pin: revision } } as const }
          : {};
      const client = new Client({ name: "official", version: "2" }, negotiation);
      await client.connect(new StreamableHTTPClientTransport(url));
      onTestFinished(() => client.close());
      const skills = new SkillsClient(client);
      expect([skills.supported, skills.directoryRead]).toEqual([true, true]);
      const { skills: listed, invalid } = await skills.list();
      expect(invalid).toEqual([]);
      const { skill } = await skills.get(`${ROOT}/SKILL.md`);
      expect(listed).toEqual([skill]);
      const read = await skills.read(skill);
      expect(read).toMatchObject({ verified: true, text: main, frontmatter: skill.frontmatter });
      const image = await skills.read(skill, "logo.png");
      expect([...image.bytes]).toEqual([...logo]);
      const { resources } = await skills.readDirectory(ROOT);
      expect(resources.map(({ name }) => name)).toEqual(["SKILL.md", "templates", "logo.png"]);
    },
  );

  test("our client reads the skills of the official server", async () => {
    const given = Object.fromEntries(
      Object.entries(files).map(([path, content]) => [`refunds/${path}`, content]),
    );
    const catalog = await SkillsExtension.load(memorySkillFiles(given));
    const handler = createMcpHandler(() => {
      const server = new OfficialServer(
        { name: "official", version: "2" },
        { capabilities: { resources: {} } },
      );
      catalog.attach(server);
      return server;
    });
    onTestFinished(() => handler.close());
    const fetch = (url: URL, init: RequestInit): Promise<Response> =>
      handler.fetch(new Request(url, init));
    const client = await connect("http://localhost/mcp", { http: { fetch }, extensions: [SKILLS] });
    onTestFinished(() => client.close());
    const skills = skillsOf(client);
    const listed = [];
    for await (const one of skills.list()) listed.push(one);
    const [skill, ...others] = listed;
    expect(others).toEqual([]);
    expect(await skills.get(skill!.uri)).toEqual(skill);
    expect((await skills.read(skill!)).text).toBe(main);
    expect([...(await skills.read(skill!, `${ROOT}/logo.png`)).bytes]).toEqual([...logo]);
    const names = [];
    for await (const { name } of skills.directory(ROOT)) names.push(name);
    expect(names.toSorted()).toEqual(["SKILL.md", "logo.png", "templates"]);
  });
});
