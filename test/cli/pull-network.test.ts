import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build } from "./build.js";
import { type Answer, FileServer, redirect, refused, REVISION, schema } from "./pull-support.js";

const MIB = 1024 * 1024;

const files = new FileServer();
const other = new FileServer();

beforeAll(async () => {
  await build();
  await files.listen();
  await other.listen();
}, 120_000);
afterAll(() => Promise.all([files.close(), other.close()]));
beforeEach(() => void files.reset());

describe("pull reports network failures with exit code 4", () => {
  const cases: [string, Answer, string, string][] = [
    ["404", (_, response) => response.writeHead(404).end(), "MCG7002", "status 404"],
    ["500", (_, response) => response.writeHead(500).end(), "MCG7002", "status 500"],
    ["206", (_, response) => response.writeHead(206).end(schema), "MCG7002", "status 206"],
    [
      "a redirect without a location",
      (_, response) => response.writeHead(302).end(),
      "MCG7002",
      "302",
    ],
    ["a redirect loop", redirect("/x"), "MCG7003", "More than 5 redirects"],
    ["a redirect to a file", redirect("file:///etc/passwd"), "MCG7003", "not the host"],
    ["a redirect to an invalid address", redirect("http://[bad"), "MCG7003", "an invalid address"],
    [
      "a redirect with credentials",
      (_, r) => redirect(`http://u:p@${files.origin.slice(7)}/y`)(_, r),
      "MCG7003",
      "not the host",
    ],
    [
      "a redirect to another host",
      (_, r) => redirect(`${other.origin}/y`)(_, r),
      "MCG7003",
      "not the host",
    ],
    [
      "a redirect to another scheme",
      (_, r) => redirect(`https://${files.origin.slice(7)}/y`)(_, r),
      "MCG7003",
      "not the host",
    ],
    [
      "an announced body that is too large",
      (_, response) => response.writeHead(200, { "content-length": 4 * MIB + 1 }).flushHeaders(),
      "MCG7004",
      "larger than 4 MiB",
    ],
    ["a closed connection", (request) => request.socket.destroy(), "MCG7001", "download failed"],
    [
      "a body that ends early",
      (request, response) => {
        response.writeHead(200, { "content-length": 1000 }).write("export");
        setTimeout(() => request.socket.destroy(), 50);
      },
      "MCG7001",
      "download failed",
    ],
  ];

  it.each(cases)("%s", async (_, answer, problem, message) => {
    using folder = new TestFolder();
    files.answers["/x"] = answer;
    await refused(folder, [REVISION, "--from", `${files.origin}/x`], { code: 4, problem, message });
    expect(other.requests).toEqual([]);
  });

  it("stops an endless body as soon as it is too large", async () => {
    using folder = new TestFolder();
    let sent = 0;
    files.answers["/x"] = (_, response) => {
      const send = (): void => {
        while (!response.destroyed && sent < 256 * MIB) {
          sent += 64 * 1024;
          if (!response.write(" ".repeat(64 * 1024))) return void response.once("drain", send);
        }
      };
      send();
    };
    const expected = { code: 4, problem: "MCG7004", message: "larger than 4 MiB" };
    await refused(folder, [REVISION, "--from", `${files.origin}/x`], expected);
    expect(sent).toBeLessThan(64 * MIB);
  });

  it.each([
    ["headers", () => undefined],
    [
      "a body",
      (_: unknown, response: ServerResponse) => void response.writeHead(200).write("export"),
    ],
  ] as [string, Answer][])("stops waiting for %s after --timeout", async (_, answer) => {
    using folder = new TestFolder();
    files.answers["/x"] = answer;
    const line = [REVISION, "--timeout", "0.5", "--from", `${files.origin}/x`];
    await refused(folder, line, {
      code: 4,
      problem: "MCG7001",
      message: "Not complete after 0.5 s",
    });
  });

  it("reports a port where no process listens", async () => {
    using folder = new TestFolder();
    const closed = await new FileServer().listen();
    await closed.close();
    const expected = { code: 4, problem: "MCG7001", message: "ECONNREFUSED" };
    await refused(folder, [REVISION, "--from", `${closed.origin}/x`], expected);
  });
});
