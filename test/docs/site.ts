import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Diagnostics } from "../../generator/diagnostics.js";
import type { ExtensionInput, RevisionInput } from "../../generator/docs/collect/collect.js";
import { examplesOf } from "../../generator/docs/collect/examples.js";
import { docs } from "../../generator/docs/docs.js";
import { readFacts } from "../../generator/link/read-facts.js";
import type { Facts } from "../../generator/link/facts.js";
import { link } from "../../generator/link/link.js";
import { bundledExtensions, bundledRevision } from "../../generator/bundled/bundled.js";
import { linkExtension } from "../../generator/link-extension.js";
import { model } from "../../generator/model/model.js";
import type { OutputFile } from "../../generator/plan/file-plan.js";
import { bundled, protocolOf } from "../generator/bundled-protocols.js";
import { root } from "../support/pack.js";

/** Returns the bundled revisions with their facts, oldest first. */
export function bundledInputs(): readonly RevisionInput[] {
  return bundled.map((revision) => {
    const file = join(root, "schema", revision, "facts.json");
    const facts = readFacts(readFileSync(file, "utf8"), file, new Diagnostics());
    const protocol = protocolOf(revision);
    const examples = examplesOf(protocol, (path) => exampleFile(revision, path));
    return { protocol, examples, ...(facts && { facts }) };
  });
}

function exampleFile(revision: string, path: string): string | undefined {
  const file = join(root, "schema", revision, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Creates a schema with the smallest possible handshake, some declarations and some client requests. */
export function schemaOf(declarations: string, requests: readonly string[]): string {
  return `
export interface Request { method: string; params?: { [key: string]: any } }
export interface Notification { method: string; params?: { [key: string]: any } }
export interface Result { [key: string]: unknown }
export type EmptyResult = Result;
export interface JSONRPCRequest extends Request { jsonrpc: "2.0"; id: string | number }
export interface JSONRPCNotification extends Notification { jsonrpc: "2.0" }
export interface JSONRPCResponse { jsonrpc: "2.0"; id: string | number; result: Result }
export interface JSONRPCError {
  jsonrpc: "2.0";
  id: string | number;
  error: { code: number; message: string; data?: unknown };
}
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError;
export interface Implementation { name: string; version: string }
export interface ClientCapabilities {}
export interface ServerCapabilities {}
export interface InitializeRequest extends Request {
  method: "initialize";
  params: { protocolVersion: string; capabilities: ClientCapabilities; clientInfo: Implementation };
}
export interface InitializeResult extends Result {
  protocolVersion: string;
  capabilities: ServerCapabilities;
  serverInfo: Implementation;
}
export interface InitializedNotification extends Notification {
  method: "notifications/initialized";
}
${declarations}
export type ClientRequest = InitializeRequest | ${requests.map((name) => `${name}Request`).join(" | ")};
export type ClientNotification = InitializedNotification;
export type ServerResult = InitializeResult | ${requests.map((name) => `${name}Result`).join(" | ")};
`;
}

/** Creates the input for a schema, by default without facts. */
export function ownInput(text: string, revision: string, facts?: Facts): RevisionInput {
  const diagnostics = new Diagnostics();
  const source = { file: "schema.ts", text, sha256: "1".repeat(64) };
  const own = { revision, ...(facts && { facts }) };
  const protocol = link(model(source, diagnostics), own, diagnostics);
  if (!protocol) throw new Error(diagnostics.items.map(({ message }) => message).join("\n"));
  return { protocol };
}

/** Returns the inputs for the bundled extensions. */
export function bundledExtensionInputs(): readonly ExtensionInput[] {
  return bundledExtensions().map((extension) => {
    const facts = readFacts(
      readFileSync(extension.facts, "utf8"),
      extension.facts,
      new Diagnostics(),
    );
    const text = readFileSync(extension.schema, "utf8");
    return extensionInput(extension.id, extension.extends, text, facts);
  });
}

/** Creates the input for an extension of a bundled revision. */
export function extensionInput(
  id: string,
  base: string,
  text: string,
  facts?: Facts,
): ExtensionInput {
  const diagnostics = new Diagnostics();
  const extended = {
    protocol: protocolOf(base),
    text: readFileSync(bundledRevision(base)!.schema, "utf8"),
  };
  const source = { file: "schema.ts", text, sha256: "2".repeat(64) };
  const input = { source, id, extended, ...(facts && { facts }) };
  const protocol = linkExtension(input, diagnostics);
  if (!protocol) throw new Error(diagnostics.items.map(({ message }) => message).join("\n"));
  return { protocol, extends: base, ...(facts && { facts }) };
}

/** Returns the pages of this repository's documentation, or other Markdown files. */
export function guideFiles(path = "runtime/docs") {
  const folder = join(root, path);
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return names.toSorted().map((name) => ({
    path: name,
    text: readFileSync(join(folder, name), "utf8"),
  }));
}

export function siteOf(
  revisions: readonly RevisionInput[],
  options: Partial<Parameters<typeof docs>[0]> = {},
): readonly OutputFile[] {
  return docs({ revisions, words: ["--out", "site"], ...options });
}

/** Builds this repository's site with everything on it. */
export function wholeSite(base: string): readonly OutputFile[] {
  const folders = ["--guide", "runtime/docs", "--requirements", "test/requirements"];
  return siteOf(bundledInputs(), {
    extensions: bundledExtensionInputs(),
    guide: guideFiles(),
    requirements: guideFiles("test/requirements"),
    base,
    words: [...folders, "--out", "site", "--base", base],
  });
}
