import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Listening } from "@mcp-codegen/runtime/http/node";
import { revisions } from "@mcp-codegen/universal/revisions";
import { CHROMIUM, reportOfPage } from "./browser.js";
import { bundleFor } from "./bundle.js";
import { serveClients } from "./client-server.js";
import { PackedProject } from "./packed.js";
import { platforms } from "./platforms.js";
import { transcripts } from "./programs/client-cases.js";

const project = new PackedProject();
let expected: Awaited<ReturnType<typeof transcripts>>;

beforeAll(async () => {
  await project.create();
  expected = await withServer(transcripts);
}, 120_000);
afterAll(() => project.remove());

/** Uses a new server for each client, because clients change what it lists. */
async function withServer<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  const server: Listening = await serveClients();
  try {
    return await use(server.url);
  } finally {
    await server.close();
  }
}

it("the client on Node receives everything that a revision can carry, without errors", () => {
  expect(Object.keys(expected)).toEqual(revisions.map(({ id }) => id));
  for (const transcript of Object.values(expected)) {
    expect(transcript).toMatchObject({
      progress: [1, 2, 3],
      aborted: ["TimeoutError", expect.anything()],
      late: ["RequestTimeoutError", "REQUEST_TIMEOUT"],
      updated: "note://one",
      large: 500,
      changed: "changed",
      errors: [],
    });
  }
});

it.each(platforms.filter(({ program }) => program === "behaviour"))(
  "the client on $name receives what it receives on Node",
  async ({ name, target, start }) => {
    const file = join(project.folder, `client on ${name}.mjs`);
    await bundleFor(target, "test/runtimes/programs/client.ts", file, project.folder);
    const { url, stop } = await start(file);
    try {
      const report = await withServer(async (server) => {
        const response = await fetch(`${url}/run?${encodeURIComponent(server)}`);
        return await response.json();
      });
      expect(report).toEqual(JSON.parse(JSON.stringify(expected)));
    } finally {
      await stop();
    }
  },
  120_000,
);

describe("in a browser", () => {
  it.runIf(process.env["CHROMIUM"] || existsSync(CHROMIUM))(
    "the client in a page of another origin receives what it receives on Node",
    async () => {
      const file = join(project.folder, "page.mjs");
      await bundleFor("browser", "test/runtimes/programs/page.ts", file, project.folder);
      const report = await withServer((server) => reportOfPage(file, server));
      expect(report).toEqual(JSON.parse(JSON.stringify(expected)));
    },
    120_000,
  );
});
