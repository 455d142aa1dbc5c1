import { connect } from "@mcp-codegen/universal/client";
import { revisions } from "@mcp-codegen/universal/revisions";

/** Everything that a client received at one revision, in an order that no runtime may change. */
export type Transcript = Readonly<Record<string, unknown>>;

/** Runs the client against the server of `client-server.ts` at every revision. */
export async function transcripts(url: string): Promise<Readonly<Record<string, Transcript>>> {
  const all: Record<string, Transcript> = {};
  for (const { id } of revisions) all[id] = await transcriptAt(url, id);
  return all;
}

async function transcriptAt(url: string, id: string): Promise<Transcript> {
  const progress: unknown[] = [];
  const asked: string[] = [];
  const errors: string[] = [];
  const client = await connect(url, {
    clientInfo: { name: "runtime", version: "1.0.0" },
    revisions: revisions.filter((revision) => revision.id === id),
    roots: [{ uri: "file:///work", name: "work" }],
    onElicit: ({ message }) => {
      asked.push(message);
      return { action: "accept", content: { name: "Ada" } };
    },
    onSample: () => ({ role: "assistant", content: { type: "text", text: "4" }, model: "none" }),
    onerror: ({ name, message }) => {
      // Node prints them instead.
      if (name !== "DeprecationWarning") errors.push(message);
    },
  });
  try {
    const changed = new Promise<string>((resolve) => {
      client.on("toolsChanged", () => resolve("changed"));
    });
    const listening = client.on("log", () => {});
    await listening.ready;
    return {
      revision: client.revision,
      era: client.era,
      server: client.server,
      tools: await client.listTools(),
      structured: await client.callTool("add", { a: 1, b: 2 }),
      failed: await client.callTool("fail"),
      unknown: await codeOf(client.callTool("none")),
      invalid: await outcomeOf(client.callTool("add", { a: "one" })),
      counted: await client.callTool("count", undefined, {
        onprogress: ({ progress: step }) => progress.push(step),
      }),
      progress,
      form: await outcomeOf(client.callTool("form")),
      sample: await outcomeOf(client.callTool("sample")),
      roots: await outcomeOf(client.callTool("roots")),
      asked,
      aborted: await codeOf(
        client.callTool("wait", undefined, { signal: AbortSignal.timeout(100) }),
      ),
      late: await codeOf(client.callTool("wait", undefined, { timeout: 100 })),
      parallel: await Promise.all(
        [1, 2, 3, 4, 5].map(async (a) => (await client.callTool("add", { a, b: 1 })).content),
      ),
      resource: await client.readResource("note://one"),
      templates: await client.listResourceTemplates(),
      updated: await new Promise<string>((resolve, reject) => {
        client
          .subscribe("note://one", resolve)
          .then(() => client.callTool("touch"))
          .catch(reject);
      }),
      prompt: await client.getPrompt("greet", { who: "Ada" }),
      completion: await client.complete({
        ref: { type: "ref/prompt", name: "greet" },
        argument: { name: "who", value: "A" },
      }),
      large: (await client.callTool("large")).content.length,
      changed: await client.callTool("change").then(() => changed),
      errors,
    };
  } finally {
    await client.close();
  }
}

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "no error",
    (error: { name: string; code?: unknown }) => [error.name, error.code],
  );

const outcomeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: Error) => `${error.name}: ${error.message}`);
