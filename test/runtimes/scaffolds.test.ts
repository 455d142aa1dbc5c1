import { join } from "node:path";
import { connect } from "@mcp-codegen/universal/client";
import { revisions } from "@mcp-codegen/universal/revisions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FLAVORS, type Flavor, Projects } from "../scaffold/projects.js";
import { bundleFor } from "./bundle.js";
import { platforms } from "./platforms.js";

const projects = new Projects(FLAVORS.map((flavor) => ({ kind: "fetch-server", flavor })));
beforeAll(() => projects.create(), 240_000);
afterAll(() => projects.remove());

const idsOf = (flavor: Flavor): readonly string[] =>
  revisions.map(({ id }) => id).filter((id) => flavor === "universal" || id === flavor);

describe.each(platforms.filter(({ program }) => program === "behaviour"))("$name", (platform) => {
  it.each(FLAVORS)("serves the scaffold fetch-server %s", async (flavor) => {
    const folder = projects.of("fetch-server", flavor);
    const file = join(folder, `${platform.name}.mjs`);
    await bundleFor(platform.target, join(folder, "src/index.ts"), file, projects.folder);
    const { url, stop } = await platform.start(file);
    try {
      for (const id of idsOf(flavor)) {
        const client = await connect(`${url}/mcp`, {
          revisions: revisions.filter((revision) => revision.id === id),
        });
        const { content } = await client.callTool("add_note", { text: "Buy milk" });
        expect(content).toEqual([
          { type: "text", text: expect.stringMatching(/^Kept as note \d+\.$/) },
        ]);
        await client.close();
      }
      expect((await fetch(`${url}/elsewhere`)).status).toBe(404);
    } finally {
      await stop();
    }
  });
});
