import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Scratch } from "./core/scratch.js";
import { visit } from "./core/visit.js";

const programs = fileURLToPath(new URL("programs", import.meta.url));

/** A client whose server has one tool that answers, and resources that fail. */
const client = `
import { visit } from "./visit.mjs";
await visit(async (target, onerror) => {
  console.log("chatter");
  onerror(new Error("odd"));
  onerror(new Error("odd"));
  return {
    revision: "2025-11-25",
    capabilities: { tools: {}, resources: {} },
    tools: async () => [{ name: target.command }],
    resources: async () => { throw new Error("broken"); },
    templates: async () => [],
    call: async (name) => {
      if (name !== "echo") throw Object.assign(new Error("unknown"), { code: -32602 });
      return { content: [{ type: "text", text: "hi" }] };
    },
    read: async (uri) => ({ contents: [{ uri }] }),
    hasPing: true,
    ping: async () => {},
    close: async () => {},
  };
});`;

async function visitWith(program: string) {
  const folder = mkdtempSync(join(tmpdir(), "visit-"));
  cpSync(programs, folder, { recursive: true });
  writeFileSync(join(folder, "client.mjs"), program);
  const scratch = new Scratch();
  const target = { over: "stdio", command: "server", args: [], env: {}, cwd: "/" } as const;
  const call = { name: "echo", arguments: {} };
  try {
    return await visit(join(folder, "client.mjs"), { target, call, read: "note://1" }, scratch);
  } finally {
    scratch.end();
    rmSync(folder, { recursive: true });
  }
}

it("the outcome of each step of a visit is reported", async () => {
  expect(await visitWith(client)).toEqual({
    revision: "2025-11-25",
    steps: {
      connect: { ok: true, note: "2025-11-25" },
      tools: { ok: true, count: 1 },
      call: { ok: true, note: "text" },
      "unknown tool": { ok: true, note: "-32602" },
      resources: { ok: false, note: "broken" },
      templates: { ok: true, count: 0 },
      read: { ok: true, count: 1, note: "note://1" },
      ping: { ok: true },
      close: { ok: true },
    },
    reported: ["odd"],
  });
});

it("a client that crashes is reported", async () => {
  const { steps } = await visitWith("throw new Error('no package')");
  expect(steps["connect"]).toMatchObject({ ok: false });
  expect(steps["connect"]!.note).toMatch(/the client died/);
});
