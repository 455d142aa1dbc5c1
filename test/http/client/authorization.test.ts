import { describe, expect, it } from "vitest";
import { closeAfter, connected, fixture } from "./support/clients.js";
import { answer, mcpServer } from "./support/mcp-server.js";
import type { Handle } from "./support/raw-server.js";

/** Answers pings of requests with the token, and 401 to all others. */
function servePings(token: () => string, status = 401) {
  const ping: Handle = (seen, response) => {
    if (seen.headers.authorization === `Bearer ${token()}`) return answer(response, seen, {});
    response.writeHead(status, { "www-authenticate": 'Bearer realm="x"' }).end("Who are you?");
  };
  return mcpServer({ on: { ping } }).then(closeAfter);
}

describe("the authorization of a client", () => {
  it.each([401, 403])("fails with its own error when it is missing: %i", async (status) => {
    const server = await servePings(() => "t", status);
    const { client } = await connected(server);
    await expect(client.ping()).rejects.toMatchObject({
      name: "AuthorizationError",
      code: "HTTP",
      status,
      challenge: 'Bearer realm="x"',
      detail: "Who are you?",
    });
  });

  it("ignores a 403 without a challenge", async () => {
    const text = "Forbidden: \u001b[31mthe host\r\nis not \u202eallowed " + "x".repeat(1000);
    const server = await mcpServer({
      on: {
        ping: (_, response) => {
          response.writeHead(403, { "content-type": "text/plain; charset=utf-8" }).end(text);
        },
      },
    });
    const { client } = await connected(closeAfter(server));
    const error = (await client.ping().catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ name: "HttpError", status: 403 });
    expect(error.message).toContain('403: "Forbidden: [31mthe host is not allowed xxx');
    expect(error.message.length).toBeLessThan(350);
  });

  it.each([401, 404])("throws an error whose message has the text of a %i", async (status) => {
    const ping: Handle = (_, response) => void response.writeHead(status).end("No such tenant");
    const { client } = await connected(closeAfter(await mcpServer({ on: { ping } })));
    await expect(client.ping()).rejects.toThrow(`was answered ${status}: "No such tenant"`);
  });

  it("throws an error whose message has no markup", async () => {
    const server = await mcpServer({
      on: {
        ping: (_, response) => {
          response.writeHead(404, { "content-type": "text/html" }).end("<p>No");
        },
      },
    });
    const { client } = await connected(closeAfter(server));
    await expect(client.ping()).rejects.toThrow(/was answered 404$/);
  });

  it("is renewed once for all requests that need it, and they are sent again", async () => {
    const server = await servePings(() => "2");
    let token = 1;
    const requested: unknown[] = [];
    const { client } = await connected(server, {
      headers: () => ({ authorization: `Bearer ${token}` }),
      authorize: async (response, { method, url }) => {
        requested.push([response.status, await response.text(), method, url.href]);
        await new Promise((resolve) => setTimeout(resolve, 50));
        token += 1;
        return true;
      },
    });
    const results = await Promise.all(Array.from({ length: 4 }, () => client.ping()));
    expect(results).toEqual([{}, {}, {}, {}]);
    expect(requested).toEqual([[401, "Who are you?", "POST", server.url]]);
    expect(server.of("ping")).toHaveLength(8);
  });

  it("is fetched once per request", async () => {
    const server = await servePings(() => "never");
    let count = 0;
    const { client } = await connected(server, {
      authorize: async () => {
        count += 1;
        return true;
      },
    });
    await expect(client.ping()).rejects.toMatchObject({ name: "AuthorizationError" });
    expect([count, server.of("ping").length]).toEqual([1, 2]);
  });

  it("may return nothing, and may throw", async () => {
    const server = await servePings(() => "t");
    const refusing = await connected(server, { authorize: async () => false });
    await expect(refusing.client.ping()).rejects.toMatchObject({ name: "AuthorizationError" });
    const failing = await connected(server, {
      authorize: () => Promise.reject(new Error("no user")),
    });
    await expect(failing.client.ping()).rejects.toThrow("no user");
  });

  it.each(["ftp://example.com/", "file:///etc/passwd", "https://me:secret@example.com/mcp", "mcp"])(
    "is never sent to %s",
    (url) => {
      const make = () => fixture({ url });
      expect(make).toThrow(TypeError);
      expect(make).not.toThrow("secret");
    },
  );
});
