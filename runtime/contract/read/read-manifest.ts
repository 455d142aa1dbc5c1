import type { Diagnostics } from "mcp-codegen";
import { isObject } from "../json.js";
import { LISTS } from "../families.js";
import type { Definition, ServerReading } from "../lock/lock-file.js";
import { listsOf, readJson } from "../lock/read-lock.js";

/**
 * Reads a server's description from a file: an object with lists (`tools`, …), or a JSON-RPC response whose result is
 * such an object. The object may also have the members of an initialization or discovery result.
 */
export function readManifest(path: string, diagnostics: Diagnostics): ServerReading | undefined {
  const value = readJson(path, "The manifest", diagnostics);
  if (value === undefined) return undefined;
  const refuse = (message: string): undefined => {
    diagnostics.add({ code: "MCG9002", severity: "error", message, hint: HINT, file: path });
    return undefined;
  };
  const manifest = isObject(value) && isObject(value["result"]) ? value["result"] : value;
  if (!isObject(manifest) || !LISTS.some((list) => list in manifest)) {
    return refuse(`The manifest has none of ${LISTS.join(", ")}.`);
  }
  const { lists, problems } = listsOf(manifest);
  for (const problem of problems) refuse(`In the manifest, ${problem}.`);
  if (problems.length > 0) return undefined;
  const text = (name: string): string | undefined => {
    const member = manifest[name];
    return typeof member === "string" ? member : undefined;
  };
  const object = (...names: string[]): Definition | undefined =>
    names.map((name) => manifest[name]).find(isObject);
  const revision = text("protocolVersion") ?? text("revision");
  const [server, capabilities] = [object("serverInfo", "server"), object("capabilities")];
  const instructions = text("instructions");
  return {
    ...(revision !== undefined && { revision }),
    ...(server !== undefined && { server }),
    ...(capabilities !== undefined && { capabilities }),
    ...(instructions !== undefined && { instructions }),
    ...lists,
  };
}

const HINT = 'A manifest has the lists of a server, as JSON: { "tools": [ … ], … }';
