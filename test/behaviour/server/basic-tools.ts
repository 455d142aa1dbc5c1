import type { ContentBlock, ServerContext, Tool } from "@mcp-codegen/2025-11-25";
import { ToolError } from "@mcp-codegen/runtime/features";
import { json, type Kit, text } from "./kit.js";

/** Uses a timer that every platform has, because this server also runs outside Node. */
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const anything = { type: "object" } as const;
const number = { type: "number" };

/** Adds the tools that need nothing from the client. */
export function addBasicTools(kit: Kit): void {
  const { tools, witness } = kit;
  tools.add({ name: "echo", inputSchema: anything }, ({ value }) => text(String(value)));
  tools.add({ name: "reflect", inputSchema: anything }, (_args, { meta }, params) =>
    json({ params, meta }),
  );
  tools.add({ name: "fail", inputSchema: anything }, () => {
    throw new ToolError("as asked");
  });
  tools.add({ name: "crash", inputSchema: anything }, () => {
    throw new Error("secret: /home/secret.ts:12");
  });
  tools.add({ name: "content", inputSchema: anything }, () => ({ content: allContent(kit) }));
  tools.add({ name: "witness", inputSchema: anything }, ({ label }) =>
    json(witness.notesOn(String(label))),
  );
  tools.add({ name: "wait", inputSchema: anything }, ({ label }, { signal }) => {
    witness.note(String(label), "started");
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        witness.note(String(label), `aborted: ${codeOf(signal.reason)}`);
        reject(signal.reason);
      });
    });
  });
  addStructuredTools(kit);
  addTimedTools(kit);
}

function addStructuredTools({ tools, knows }: Kit): void {
  const outputSchema = objectSchema({ sum: number });
  const output = knows.structuredOutput ? { outputSchema } : {};
  const inputSchema = objectSchema({ a: number, b: number });
  tools.add({ name: "sum", inputSchema, ...output }, ({ a, b }) => ({
    structuredContent: { sum: Number(a) + Number(b) },
  }));
  tools.add({ name: "misfit", inputSchema: anything, ...output }, () => ({
    structuredContent: { sum: "none" },
  }));
}

function addTimedTools({ tools, witness }: Kit): void {
  tools.add({ name: "progress", inputSchema: anything }, async ({ steps }, context) => {
    for (let step = 1; step <= Number(steps); step += 1) {
      context.progress(step, Number(steps), `step ${step}`);
      context.progress(step, Number(steps), "the same again");
      await delay(5);
    }
    return text("done");
  });
  tools.add({ name: "release", inputSchema: anything }, async (_args, context) => {
    context.progress(1);
    context.releaseStream(10);
    await delay(50);
    context.progress(2);
    return text("done");
  });
  tools.add({ name: "linger", inputSchema: anything }, async ({ label, ms, tells }, context) => {
    const { signal } = context;
    signal.addEventListener("abort", () => {
      witness.note(String(label), `aborted: ${codeOf(signal.reason)}`);
    });
    await linger(context, Number(ms), tells === true);
    witness.note(String(label), "ended");
    return text("done");
  });
}

async function linger({ progress, signal }: ServerContext, ms: number, tells: boolean) {
  const end = performance.now() + ms;
  for (let step = 1; performance.now() < end && !signal.aborted; step += 1) {
    await delay(20);
    if (tells) progress(step);
  }
}

/** Creates an object schema whose members are all required. */
function objectSchema(properties: Record<string, object>): Tool["inputSchema"] {
  return { type: "object", properties, required: Object.keys(properties) };
}

function allContent({ knows }: Kit): ContentBlock[] {
  const resource = { uri: "note://1", mimeType: "text/plain", text: "remember" };
  const audio = { type: "audio", data: "aGk=", mimeType: "audio/wav" } as const;
  const link = { type: "resource_link", uri: "note://1", name: "note" } as const;
  return [
    { type: "text", text: "héllo ✓ \u2028 😀" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "resource", resource },
    ...(knows.audio ? [audio] : []),
    ...(knows.resourceLinks ? [link] : []),
  ];
}

function codeOf(reason: unknown): string {
  return String((reason as { code?: unknown } | undefined)?.code ?? reason);
}
