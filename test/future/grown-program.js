// @ts-nocheck -- it imports packages that a test generates
import {
  connect,
  createHttpHandler,
  McpServer,
  revisions,
  serveStdio,
} from "@mcp-codegen/universal";
import { listen } from "@mcp-codegen/runtime/http/node";
import { memoryPair } from "@mcp-codegen/runtime/memory";

/** A value for the new member; every object below has it. */
const added = "new";

const [, file, wire] = process.argv;
const text = { type: "text", text: "t", added, annotations: { priority: 1, added } };
const icons = [{ src: "https://example.com/i.png", added }];
const ref = { type: "ref/prompt", name: "p", added };
const form = { type: "object", properties: { n: { type: "string", added } } };

let errors = [];
let losses = 0;
const warned = /deprecated/;
const observers = {
  onerror: ({ message }) => void (warned.test(message) || errors.push(message)),
  onloss: () => void (losses += 1),
};

function createServer() {
  const capabilities = { added, logging: {} };
  const server = new McpServer(
    { name: "s", version: "1", added, icons },
    { ...observers, capabilities },
  );
  const inputSchema = { type: "object", properties: { a: { type: "number" } } };
  const annotations = { readOnlyHint: true, added };
  const outputSchema = { type: "object" };
  server.registerTool(
    "echo",
    { added, icons, annotations, inputSchema, outputSchema },
    (_, ctx) => {
      ctx.progress(1, 2, "half");
      const link = { type: "resource_link", uri: "file:///a", name: "a", added, icons };
      return { added, content: [text, link], structuredContent: { a: 1 } };
    },
  );
  server.registerTool("ask", { added }, async (ctx) => {
    const { action, content } = await ctx.elicit({ message: "m", added, requestedSchema: form });
    const messages = [{ role: "user", content: text, added }];
    const { model } = await ctx.sample({ messages, maxTokens: 3, added });
    const { roots } = await ctx.request("roots/list");
    return `${action} ${content.n} ${model} ${roots.length}`;
  });
  server.registerTool("change", {}, (ctx) => {
    server.notify.toolsChanged({ added });
    server.notify.promptsChanged({ added });
    server.notify.resourcesChanged({ added });
    server.resourceUpdated("memo://r");
    void ctx.notify("notifications/message", { level: "error", data: "d", added });
    return "done";
  });
  const messages = [{ role: "user", content: text, added }];
  const promptArguments = [{ name: "x", added }];
  server.registerPrompt("p", { added, arguments: promptArguments }, () => ({ added, messages }));
  server.registerResource("r", "memo://r", { added }, () => ({
    added,
    contents: [{ uri: "memo://r", text: "x", added }],
  }));
  const completion = { values: ["a"] };
  server.setHandler("completion/complete", () => ({ added, completion }));
  return server;
}

async function target() {
  if (wire === "stdio") return { command: process.execPath, args: [file, "serve"] };
  if (wire === "http") return (await listen(createHttpHandler(createServer()))).url;
  const [near, far] = memoryPair();
  await createServer().connect(far);
  return near;
}

async function talk(revision) {
  errors = [];
  losses = 0;
  const failures = [];
  const client = await connect(await target(), {
    ...observers,
    probeTimeout: 60_000,
    revisions: [revision],
    stdio: { stderr: (line) => void errors.push(line) },
    clientInfo: { name: "c", version: "1", added, icons },
    capabilities: { added },
    onElicit: () => ({ added, action: "accept", content: { n: "x" } }),
    onSample: () => ({ added, role: "assistant", model: "m", content: text }),
    roots: [{ uri: "file:///a", added }],
  });
  const step = async (name, work) => {
    try {
      return await work();
    } catch (error) {
      failures.push(`${name}: ${error.message}`);
    }
  };
  const changes = new Set();
  for (const event of ["toolsChanged", "promptsChanged", "resourcesChanged", "log"]) {
    await step(event, () => client.on(event, () => changes.add(event)).ready);
  }
  await step("subscribe", () => client.subscribe("memo://r", () => changes.add("updated")));
  await step("tools", () => client.listTools({ added }));
  await step("page", () => client.listTools({ cursor: "unknown", added }).catch(onlyRefused));
  await step("prompts", () => client.listPrompts({ added }));
  await step("resources", () => client.listResources({ added }));
  await step("templates", () => client.listResourceTemplates({ added }));
  let progress = 0;
  const onprogress = () => void (progress += 1);
  const call = { name: "echo", arguments: { a: 1 }, added };
  const echoed = await step("echo", () => client.callTool(call, { onprogress }));
  if (progress !== 1 || echoed?.content[0].text !== "t") failures.push("progress or result");
  const rounds = await step("ask", () => client.callTool({ name: "ask", added }));
  await step("prompt", () => client.getPrompt({ name: "p", added }));
  await step("read", () => client.readResource({ uri: "memo://r", added }));
  await step("complete", () => client.complete({ ref, argument: { name: "x", value: "" }, added }));
  await step("ping", () => client.ping());
  await step("cancel", () => {
    const cancelled = client.callTool({ name: "ask", added }, { signal: AbortSignal.timeout(0) });
    return cancelled.catch((error) => {
      if (error.name !== "TimeoutError") throw error;
    });
  });
  await step("change", () => client.callTool("change"));
  const until = Date.now() + 10_000;
  while (changes.size < 5 && Date.now() < until) await new Promise((done) => setTimeout(done, 10));
  await client.close();
  return {
    revision: client.revision,
    failures,
    errors,
    changes: [...changes].toSorted(),
    rounds: rounds?.content[0].text,
    losses: losses > 0,
  };
}

function onlyRefused(error) {
  if (error.code !== -32602) throw error;
}

if (wire === "serve") await serveStdio(createServer());
else {
  const all = [];
  // The oldest revision has a transport of its own for the web.
  for (const one of wire === "http" ? revisions.slice(0, -1) : revisions) all.push(await talk(one));
  console.log(JSON.stringify(all));
  process.exit();
}
