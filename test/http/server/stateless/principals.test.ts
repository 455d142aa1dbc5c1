import { describe, expect, test } from "vitest";
import { ask, Listener, start } from "./support/raw-http.js";
import { serveBoth, serveStateless } from "./support/served.js";

const authenticate = (head: { header(name: string): string | undefined }) => {
  const [, principal] = /^Bearer (\w+)$/.exec(head.header("authorization") ?? "") ?? [];
  return principal === undefined ? { status: 401 } : { principal };
};

const as = (principal: string, more: Record<string, string> = {}) => ({
  Authorization: `Bearer ${principal}`,
  ...more,
});

describe("several senders at one URL", () => {
  test("receive their own responses, with equal ids (STATE-02, MATRIX-08)", async () => {
    const { url } = await serveBoth({ authenticate });
    const senders = Array.from({ length: 40 }, (_, index) => `p${index % 8}`);
    const answers = await Promise.all(
      senders.map((sender, index) => {
        const fields = as(sender, { "X-Test": `t${index}` });
        return ask(url, "tools/call", { name: "who" }, { id: index % 3, fields });
      }),
    );
    const seen = answers.map(({ message }) => [message.id, message.result.content[0].text]);
    expect(seen).toEqual(
      senders.map((sender, index) => [index % 3, JSON.stringify([sender, index % 3, `t${index}`])]),
    );
  });

  test("are not affected when one disconnects (MATRIX-08)", async () => {
    const served = await serveStateless({ authenticate });
    const wait = (sender: string) =>
      start(
        served.url,
        "subscriptions/listen",
        { notifications: { toolsListChanged: true } },
        {
          id: 1,
          fields: as(sender),
        },
      );
    const [one, other] = [new Listener(await wait("a")), new Listener(await wait("b"))];
    await Promise.all([one.next(), other.next()]);
    one.leave();
    served.tools.add({ name: "new", inputSchema: { type: "object" } }, () => ({ content: [] }));
    expect((await other.next()).method).toBe("notifications/tools/list_changed");
    other.leave();
  });

  test("are refused without credentials (SHTTP-03)", async () => {
    const { url, called } = await serveStateless({ authenticate });
    expect((await ask(url, "tools/call", { name: "who" })).status).toBe(401);
    expect(called).toEqual([]);
  });

  test("are refused when authentication fails", async () => {
    const served = await serveStateless({
      authenticate: () => {
        throw new Error("no database at /srv/secret");
      },
    });
    const { status, text } = await ask(served.url, "tools/call", { name: "who" });
    expect([status, text.includes("secret")]).toEqual([500, false]);
    expect(served.called).toEqual([]);
    expect(served.errors.length).toBe(1);
  });

  test("have memory limits: maxBytesUnderWayPerSession limits each", async () => {
    const served = await serveStateless({ authenticate, maxBytesUnderWayPerSession: 2000 });
    const pad = "x".repeat(1500);
    const call = (sender: string, name: string) =>
      ask(
        served.url,
        "tools/call",
        { name, arguments: { pad } },
        { id: sender, fields: as(sender) },
      );
    const waiting = call("a", "wait");
    while (served.called.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const refused = await call("a", "echo");
    expect([refused.status, refused.message.id]).toEqual([429, "a"]);
    expect((await call("b", "echo")).status).toBe(200);
    served.gate.open();
    expect((await waiting).status).toBe(200);
    expect((await call("a", "echo")).status).toBe(200);
  });
});

async function preflight(url: string, wanted: string): Promise<string[]> {
  const headers = {
    Origin: "http://localhost:5173",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": wanted,
  };
  const response = await fetch(url, { method: "OPTIONS", headers });
  expect(response.status).toBe(204);
  const allowed = response.headers.get("access-control-allow-headers") ?? "";
  return allowed.toLowerCase().split(", ");
}

describe("pages in browsers", () => {
  test("may send the headers of stateless requests (T19)", async () => {
    const { url } = await serveStateless();
    const allowed = await preflight(url, "content-type,mcp-method,mcp-param-region");
    expect(allowed).toEqual(
      expect.arrayContaining([
        "mcp-method",
        "mcp-name",
        "mcp-protocol-version",
        "mcp-param-region",
      ]),
    );
    expect(await preflight(url, "x-evil, mcp-param-, mcp-param-a b")).toEqual(
      expect.not.arrayContaining(["x-evil", "mcp-param-", "mcp-param-a b"]),
    );
  });

  test("are refused from foreign origins (SHTTP-02)", async () => {
    const { url, called } = await serveStateless();
    const fields = { Origin: "https://evil.example" };
    expect((await ask(url, "tools/call", { name: "who" }, { fields })).status).toBe(403);
    expect(called).toEqual([]);
  });

  test("may read the response (T19)", async () => {
    const { url } = await serveStateless();
    const fields = { Origin: "http://localhost:5173" };
    const { headers } = await ask(url, "tools/call", { name: "who" }, { fields });
    expect(headers["access-control-allow-origin"]).toBe("http://localhost:5173");
    expect(headers["access-control-expose-headers"]).toContain("MCP-Protocol-Version");
  });
});
