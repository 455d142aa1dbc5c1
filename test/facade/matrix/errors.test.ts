import { describe, expect, test } from "vitest";
import { CASES } from "./support/cases.js";
import { hosts } from "./support/host.js";
import type { Wire } from "./support/link.js";
import { Speaker } from "./support/speaker.js";

const { of } = hosts();

describe.each(CASES)("errors at %s over %s (MATRIX-05)", (revision, wire) => {
  const isAlone = revision === "2026-07-28";

  /** Sends a request and returns the answer with the status of the response. */
  async function answer(method: string, params: object = {}): Promise<[Wire, number | undefined]> {
    const host = await of(revision, wire);
    const speaker = await Speaker.over(host.link(wire), revision, { isRude: true });
    const { message, route } = await speaker.answerTo(await speaker.ask(method, params));
    expect(speaker.violations).toEqual([]);
    expect(JSON.stringify(message)).not.toMatch(/secret|\/home|\.ts\b|at \w+ \(/);
    return [message.error ?? message.result, route.status];
  }

  const call = (name: string, args = {}) => answer("tools/call", { name, arguments: args });

  /** Returns the expected status of a response over HTTP; undefined for other wires, which have none. */
  const status = (alone: number) => (wire === "http" ? (isAlone ? alone : 200) : undefined);

  test("name a missing resource (T9)", async () => {
    for (const uri of ["gone://one", "never://was"]) {
      const code = isAlone ? -32602 : -32002;
      const [error, found] = await answer("resources/read", { uri });
      expect([error.code, error.data, found]).toEqual([code, { uri }, status(200)]);
    }
  });

  test("name a missing tool and a missing prompt (T9)", async () => {
    expect(await call("none")).toMatchObject([{ code: -32602 }, status(200)]);
    expect(await answer("prompts/get", { name: "none" })).toMatchObject([
      { code: -32602 },
      status(200),
    ]);
  });

  test("report invalid arguments (T9)", async () => {
    const [result, found] = await call("add", { a: "x" });
    const isResult = revision >= "2025-11-25";
    expect([isResult ? result.isError : result.code, found]).toEqual([
      isResult ? true : -32602,
      status(200),
    ]);
    const [error] = await answer("prompts/get", { name: "maximal", arguments: {} });
    expect(error.code).toBe(-32602);
  });

  test("report an unknown method (T9)", async () => {
    for (const method of ["nobody/knows", "tasks/list", ...(isAlone ? ["ping"] : [])]) {
      expect([method, await answer(method)]).toMatchObject([
        method,
        [{ code: -32601 }, status(404)],
      ]);
    }
  });

  test("report invalid parameters (T9)", async () => {
    // Over HTTP, the missing header that repeats the name is noticed first.
    const code = isAlone && wire === "http" ? -32020 : -32602;
    expect(await answer("tools/call", { arguments: {} })).toMatchObject([{ code }, status(400)]);
    expect(await answer("completion/complete", { ref: {} })).toMatchObject([
      { code: -32602 },
      status(200),
    ]);
  });

  test("report a missing capability of the client (T9)", async () => {
    if (isAlone) {
      const requiredCapabilities = { sampling: { tools: {} } };
      const missing = { code: -32021, data: { requiredCapabilities } };
      expect(await call("needs")).toMatchObject([missing, status(400)]);
      expect(await answer("prompts/get", { name: "needs" })).toMatchObject([
        { code: -32021, data: { requiredCapabilities: { roots: {} } } },
        status(400),
      ]);
    } else {
      expect(await call("needs")).toMatchObject([{ isError: true }, status(200)]);
      expect(await answer("prompts/get", { name: "needs" })).toMatchObject([
        { code: -32602 },
        status(200),
      ]);
    }
  });

  test("report handlers that throw without details (T9, ERR-11)", async () => {
    expect(await call("fail")).toMatchObject([{ isError: true }, status(200)]);
    expect(await call("refuse")).toMatchObject([
      { isError: true, content: [{ text: "Not today" }] },
      status(200),
    ]);
    expect(await answer("prompts/get", { name: "fail" })).toMatchObject([
      { code: -32603 },
      status(200),
    ]);
  });

  test("keep codes of the user (T9)", async () => {
    expect(await call("own-code")).toMatchObject([
      { code: 4711, message: "Own", data: { why: "so" } },
      status(200),
    ]);
  });

  test("convert codes that only some revisions have (T9)", async () => {
    const [error] = await call("old-code");
    expect(error.code).toBe(isAlone ? -32603 : -32002);
    const uri = "old-code://one";
    expect(await answer("resources/read", { uri })).toMatchObject([
      isAlone ? { code: -32602, data: { uri } } : { code: -32002 },
      status(200),
    ]);
  });

  test("report an unknown version (T9)", async () => {
    const host = await of(revision, wire);
    const speaker = await Speaker.over(host.link(wire), revision, { isRude: true });
    if (isAlone) {
      const metadata = { "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
      const { message, route } = await speaker.answerTo(
        await speaker.ask("tools/list", { _meta: metadata }),
      );
      expect([message.error, route.status]).toMatchObject([
        {
          code: -32022,
          data: { requested: "2099-01-01", supported: expect.arrayContaining([revision]) },
        },
        status(400),
      ]);
    } else if (wire === "http" && revision >= "2025-06-18") {
      const headers = {
        "MCP-Protocol-Version": "2099-01-01",
        Accept: "application/json, text/event-stream",
        "Content-Type": "application/json",
      };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
      const response = await fetch(host.url, { method: "POST", headers, body });
      expect(response.status).toBe(400);
      await response.text();
    }
  });
});
