import { describe, expect, test } from "vitest";
import { logging, progressing, tool, until } from "./support/calls.js";
import { ask, Listener, messagesIn, start } from "./support/raw-http.js";
import { serveStateless } from "./support/served.js";

describe("the response to a request", () => {
  test("is JSON if nothing precedes it (SHTTP-11)", async () => {
    const { url } = await serveStateless();
    const { headers } = await ask(url, "tools/call", tool("steps"));
    expect(headers["content-type"]).toBe("application/json");
  });

  test("is the last event of a stream otherwise (SHTTP-13, SHTTP-15, SHTTP-16, T28, PROG-09, RSM-07, SESS-13)", async () => {
    const { url } = await serveStateless();
    const { status, headers, text } = await ask(url, "tools/call", tool("steps"), progressing);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/event-stream",
      "x-accel-buffering": "no",
      "cache-control": expect.stringContaining("no-cache"),
    });
    expect(headers["mcp-session-id"]).toBeUndefined();
    const messages = messagesIn(text);
    expect(messages.map(({ method }) => method)).toEqual([
      "notifications/progress",
      "notifications/progress",
      "notifications/progress",
      undefined,
    ]);
    expect(messages[0].params.progressToken).toBe("p");
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { resultType: "complete" } });
    expect(text).not.toMatch(/^(id|retry|event):/m);
  });

  test("has no notifications that were not requested (LOG-06)", async () => {
    const served = await serveStateless();
    served.gate.open();
    const quiet = await ask(served.url, "tools/call", tool("tell-and-wait"));
    expect(quiet.headers["content-type"]).toBe("application/json");
    const response = await ask(served.url, "tools/call", tool("tell-and-wait"), logging);
    const data = messagesIn(response.text).map(({ params }) => params?.data);
    expect(data).toEqual(["first", "second", undefined]);
  });

  test("is JSON for every request if an option says so, without notifications and subscriptions (SHTTP-11)", async () => {
    const served = await serveStateless({ responses: "json" });
    served.gate.open();
    const { headers, message } = await ask(
      served.url,
      "tools/call",
      tool("tell-and-wait"),
      logging,
    );
    expect([headers["content-type"], message.id]).toEqual(["application/json", 1]);
    const refused = await ask(
      served.url,
      "subscriptions/listen",
      { notifications: {} },
      { id: "l" },
    );
    expect([refused.status, refused.message.id]).toEqual([406, "l"]);
    expect(refused.message.error.message).toContain("stream");
  });

  test("is preceded by comments if it takes long (SHTTP-17)", async () => {
    const served = await serveStateless({ upgradeAfter: 20, keepAlive: 20 });
    const response = await start(served.url, "tools/call", tool("wait"));
    expect(response.headers["content-type"]).toBe("text/event-stream");
    const listener = new Listener(response);
    await until(() => listener.raw.split(": \n\n").length > 2);
    served.gate.open();
    expect((await listener.next()).result.content[0].text).toBe("waited");
    expect(await listener.next()).toBeUndefined();
  });

  test("may be an error after the stream has begun (ERR-09)", async () => {
    const served = await serveStateless({ upgradeAfter: 20 });
    served.tools.add({ name: "late", inputSchema: { type: "object" } }, async () => {
      await served.gate.passed;
      throw new Error("late");
    });
    const response = await start(served.url, "tools/call", tool("late"));
    expect(response.statusCode).toBe(200);
    served.gate.open();
    const listener = new Listener(response);
    const last = await listener.next();
    expect(last.id).toBe(1);
    expect(await listener.next()).toBeUndefined();
  });

  test("has the id of its request, whichever other sender uses the same (BASE-06)", async () => {
    const served = await serveStateless();
    const ids = [1, "1", 0, -5, "", 2 ** 53 - 1];
    const waiting = ids.flatMap((id) => [
      ask(served.url, "tools/call", tool("wait"), { id }),
      ask(served.url, "tools/call", tool("wait"), { id }),
    ]);
    await until(() => served.called.length === 2 * ids.length);
    served.gate.open();
    const answers = await Promise.all(waiting);
    expect(answers.map(({ message }) => message.id)).toEqual(ids.flatMap((id) => [id, id]));
  });
});

describe("the end of a server", () => {
  test("lets pending requests finish, and refuses new ones with their id", async () => {
    const served = await serveStateless();
    const waiting = ask(served.url, "tools/call", tool("wait"));
    await until(() => served.called.length === 1);
    const closing = served.handler.close(5000);
    const late = await ask(served.url, "tools/list", {}, { id: "late" });
    expect(late.status).toBe(503);
    served.gate.open();
    expect((await waiting).message.result.content[0].text).toBe("waited");
    await closing;
  });

  test("aborts requests that take too long", async () => {
    const served = await serveStateless();
    const waiting = ask(served.url, "tools/call", tool("wait"), { id: "w" });
    await until(() => served.called.length === 1);
    await served.handler.close(20);
    const { status, message } = await waiting;
    expect([status, message.id, message.error.code]).toEqual([200, "w", -32603]);
    expect(served.aborted).toEqual(["wait"]);
  });

  test("does not end the handler, which serves the next request", async () => {
    const served = await serveStateless();
    expect((await ask(served.url, "tools/list")).status).toBe(200);
    await served.server.close();
    expect((await ask(served.url, "tools/list")).status).toBe(200);
  });

  test("does not lift the limit: maxRequests refuses further requests with their id", async () => {
    const served = await serveStateless({ maxRequests: 1 });
    const waiting = ask(served.url, "tools/call", tool("wait"));
    await until(() => served.called.length === 1);
    const refused = await ask(served.url, "tools/list", {}, { id: "r" });
    expect([refused.status, refused.message.id]).toEqual([503, "r"]);
    served.gate.open();
    expect((await waiting).status).toBe(200);
  });
});
