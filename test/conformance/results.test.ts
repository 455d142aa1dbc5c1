import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readResults } from "./suite/results.js";

const TIME = "2026-01-31T12-30-45-123Z";
const checks = [{ id: "answers", status: "SUCCESS", description: "It answers" }];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-results-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(folder, name), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), text);
}

test("results of a server are found by scenario, in order, without prefix and time", () => {
  write(`server-tools-list-${TIME}`, { "checks.json": JSON.stringify(checks) });
  write(`server-server-initialize-${TIME}`, { "checks.json": "[]" });
  expect(readResults(folder, "server")).toEqual([
    { scenario: "server-initialize", checks: [], output: "" },
    { scenario: "tools-list", checks, output: "" },
  ]);
});

test("results of a client are found with the output of its program, also in nested folders", () => {
  const written = { "stdout.txt": "exit code 1\n", "stderr.txt": "No such tool\n" };
  write(`auth/basic-${TIME}`, { "checks.json": JSON.stringify(checks), ...written });
  expect(readResults(folder, "client")).toEqual([
    { scenario: "auth/basic", checks, output: "exit code 1\nNo such tool\n" },
  ]);
});

test("no results are found for an aborted scenario", () => {
  write(`server-tools-list-${TIME}`, {});
  expect(readResults(folder, "server")).toEqual([]);
});
