import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import type { TestFolder } from "../output/folder.js";
import { root } from "./build.js";
import { cli, cliJson, type CliResult } from "./cli.js";

export const REVISION = "2025-03-26";
/** A schema with the recorded wire digest but without the recorded bytes, like a republished file. */
export const schema = readFileSync(join(root, "schema", REVISION, "schema.ts"), "utf8");

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on the loopback address that answers as each test requires. */
export class FileServer {
  answers: Record<string, Answer> = {};
  /** The paths, in the order in which they were requested. */
  requests: string[] = [];
  origin = "";
  readonly #server: Server = createServer((request, response) => {
    this.requests.push(request.url ?? "");
    const answer = this.answers[request.url ?? ""];
    if (answer) answer(request, response);
    else response.writeHead(404).end("not here");
  });

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this.reset();
  }

  /** Serves the schema at `/schema.ts`, and nothing else. */
  reset(): this {
    this.answers = { "/schema.ts": (_, response) => response.end(schema) };
    this.requests = [];
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  pull(folder: TestFolder, path: string, ...more: string[]): Promise<CliResult> {
    return cli(["pull", REVISION, "--from", `${this.origin}${path}`, ...more], {
      cwd: folder.path,
    });
  }
}

export function redirect(location: string, status = 302): Answer {
  return (_, response) => response.writeHead(status, { location }).end();
}

/** Expects a command line to be refused without writing anything. */
export async function refused(
  folder: TestFolder,
  line: readonly string[],
  expected: { code: number; problem: string; message: string },
): Promise<void> {
  const before = folder.list();
  const { code, json } = await cliJson(["pull", ...line], { cwd: folder.path });
  const [first] = (
    json["diagnostics"] as { code: string; message: string; hint: string }[]
  ).toReversed();
  expect(first).toMatchObject({
    code: expected.problem,
    message: expect.stringContaining(expected.message),
  });
  expect(first?.hint).not.toBe("");
  expect({ code, exitCode: json["exitCode"] }).toEqual({
    code: expected.code,
    exitCode: expected.code,
  });
  expect(folder.list()).toEqual(before);
}
