import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createHttpHandler } from "@mcp-codegen/universal";
import { RpcError, subscribe } from "@mcp-codegen/runtime";
import { listen } from "@mcp-codegen/runtime/http/node";

import { memoryPair } from "../../../runtime/memory/memory-pair.js";
import { connect } from "../client/support/connecting.js";
import { McpServer } from "../server/support/server.js";
import { Talk } from "../server/support/talk.js";
import { ExtensionFolder, generate, type Generated } from "./support/generated.js";

const ID = "com.example/jobs";
const REVISION = "2026-07-28";
const declaring = { capabilities: { extensions: { [ID]: {} } } };
const folder = new ExtensionFolder();
let jobs: Generated;

beforeAll(async () => {
  const { files, problems } = await generate("jobs");
  expect(problems).toEqual([]);
  jobs = await folder.put(files).import();
}, 60_000);
afterAll(() => folder.remove());

function serverWithJobs() {
  const server = new McpServer();
  server.registerTool("work", {}, () => "done");
  server.setHandler("tools/call", (params, ctx, next) =>
    ctx.extension(ID) || params.arguments?.["force"] === true
      ? ({ resultType: "queued", job: "j1" } as never)
      : next(),
  );
  server.registerExtension(jobs.extension, { handlers: { "jobs/get": () => ({ percent: 7 }) } });
  return server;
}

function reportProgress(server: McpServer, job: string): void {
  server.broadcast(jobs.extension.notifications["notifications/jobs"]!, { job, percent: 8 });
}

async function connectedTo(server: McpServer, extensions: readonly Generated["extension"][]) {
  const [near, far] = memoryPair();
  await server.fork().connect(far);
  return connect(near, { extensions });
}

describe("results of an extension that replace those of the revision", () => {
  it("are sent to clients that declare the extension", async () => {
    const talk = await Talk.with(serverWithJobs(), REVISION, declaring);
    const result = await talk.tool("work");
    expect(result).toMatchObject({ resultType: "queued", job: "j1" });
    expect(jobs.validators["QueuedResult"]!(result)).toBe(true);
    const client = await connectedTo(serverWithJobs(), [jobs.extension]);
    expect(await client.callTool("work")).toMatchObject({ resultType: "queued", job: "j1" });
  });

  it("are never sent to others, whatever the handler returns", async () => {
    const server = serverWithJobs();
    const talk = await Talk.with(server, REVISION);
    expect(await talk.tool("work")).toMatchObject({ resultType: "complete" });
    expect(await talk.tool("work", { force: true })).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [ID]: {} } } },
    });
  });

  it("are checked on both sides, and are invalid in responses to other requests", async () => {
    const server = serverWithJobs();
    server.setHandler("tools/call", () => ({ resultType: "queued" }) as never);
    const talk = await Talk.with(server, REVISION, declaring);
    expect(await talk.tool("work")).toMatchObject({ code: -32603 });
    expect(String(server.reports)).toMatch(/job/);
    const stranger = await connectedTo(serverWithJobs(), []);
    await expect(stranger.callTool("work", { force: true })).rejects.toMatchObject({
      code: -32021,
    });
  });
});

describe("members that an extension adds to a subscription", () => {
  it("subscribe to its notifications, each for what it names", async () => {
    const server = serverWithJobs();
    const client = await connectedTo(server, [jobs.extension]);
    const notified: unknown[] = [];
    const on = (_method: string, params: unknown): void => void notified.push(params);
    const subscription = await subscribe(client as never, { jobs: ["j1"] }, { on });
    expect(subscription.filter).toEqual({ jobs: ["j1"] });
    for (const job of ["j2", "j1", "j1/a"]) reportProgress(server, job);
    await expect.poll(() => notified).toHaveLength(1);
    expect(notified).toMatchObject([{ job: "j1", percent: 8 }]);
    expect(server.reports).toEqual([]);
  });

  it("are refused if they are invalid, and for clients without the extension", async () => {
    const talk = await Talk.with(serverWithJobs(), REVISION, declaring);
    const wrong = await talk.call("subscriptions/listen", { notifications: { jobs: "j1" } });
    expect(wrong.error).toMatchObject({ code: -32602 });
    expect(wrong.error.message).toContain("/notifications/jobs");
    const stranger = await Talk.with(serverWithJobs(), REVISION);
    const refused = await stranger.call("subscriptions/listen", {
      notifications: { jobs: ["j1"] },
    });
    expect(refused.error.code).toBe(-32021);
  });

  it("do not add the notifications to sessions, which have no such subscriptions", async () => {
    const server = serverWithJobs();
    const talk = await Talk.with(server, "2025-11-25", declaring);
    expect((await talk.call("jobs/get", { job: "j1" })).result).toEqual({ percent: 7 });
    reportProgress(server, "j1");
    expect(await talk.notifications()).toEqual([]);
  });
});

describe("a header in which an extension repeats a parameter", () => {
  it("is sent by clients, and checked by servers", async () => {
    const server = serverWithJobs();
    const { url, close } = await listen(createHttpHandler(server));
    onTestFinished(() => close());
    const seen: (string | null)[] = [];
    const spy: typeof fetch = (input, init) => {
      seen.push(new Headers(init?.headers).get("mcp-name"));
      return fetch(input, init);
    };
    const client = await connect(url, { extensions: [jobs.extension], http: { fetch: spy } });
    onTestFinished(() => client.close());
    const request = jobs.extension.requests["jobs/get"]!;
    expect(await client.request(request, { job: "j1" })).toMatchObject({ percent: 7 });
    expect(seen.at(-1)).toBe("j1");
    const foreign = connect(url, {
      extensions: [jobs.extension],
      http: {
        fetch: (input, init) => {
          const headers = new Headers(init?.headers);
          if (headers.has("mcp-name")) headers.set("mcp-name", "j2");
          return fetch(input, { ...init, headers });
        },
      },
    });
    const refused = (await foreign).request(request, { job: "j1" });
    await expect(refused).rejects.toMatchObject({ code: -32020 });
    await expect(refused).rejects.toBeInstanceOf(RpcError);
    await (await foreign).close();
  });
});
