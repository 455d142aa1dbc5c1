import type { Method } from "../link/protocol.js";
import type { ReferenceType, SchemaModel, TypeExpression } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";
import { refine } from "./refine.js";
import { sha256 } from "./sha256.js";
import { WireGraph, type WireGraphOptions } from "./wire-graph.js";

export type WireMessage = Pick<Method, "method" | "kind" | "type" | "from" | "channel" | "result">;

/** A node from which the digest starts: a message, an error, or the value of a constant. */
interface Root {
  readonly label: string;
  readonly node: number;
}

const DIRECTIONS: Readonly<Record<Method["from"], string>> = {
  client: "client->server",
  server: "server->client",
  both: "both",
};

const EMBEDDED = " (embedded in InputRequiredResult.inputRequests)";

/**
 * Returns the digest of everything that is visible on the wire, as 64 hexadecimal digits. Names of helper types,
 * comments, order and formatting are ignored. The model must have no errors.
 */
export function wireDigest(
  { declarations }: Pick<SchemaModel, "declarations">,
  messages: readonly WireMessage[],
  options: WireGraphOptions = {},
): string {
  const graph = new WireGraph(declarations, options);
  const roots = [
    ...messages.flatMap((message) => messageRoots(message, graph)),
    ...declarations.flatMap(({ name, kind }) => {
      const isRoot = name === "JSONRPCMessage" || (kind !== "const" && isError(name, graph.shapes));
      const label = name === "JSONRPCMessage" ? name : "err";
      return isRoot ? [{ label, node: graph.add(reference(name)) }] : [];
    }),
    ...declarations.flatMap((declaration) => {
      if (declaration.kind !== "const" || typeof declaration.value !== "number") return [];
      const { value, span } = declaration;
      return [{ label: "code", node: graph.add({ kind: "literal", value, span }) }];
    }),
  ];
  return digest(roots, graph);
}

function digest(roots: readonly Root[], graph: WireGraph): string {
  const { nodes, position } = graph.finish();
  const hashes = refine(nodes);
  const lines = new Set(roots.map(({ label, node }) => `${label} ${hashes[position(node)]}`));
  return sha256([...lines].toSorted().join("\n"));
}

function messageRoots(message: WireMessage, graph: WireGraph): readonly Root[] {
  const { method, kind, type, result } = message;
  const direction = DIRECTIONS[message.from] + (message.channel === "embedded" ? EMBEDDED : "");
  const label = `${kind === "request" ? "req" : "not"} ${method} ${direction} ${envelope(type, graph.shapes)}`;
  const roots = [{ label, node: graph.add(reference(type)) }];
  if (result) {
    const names = [result.type, ...result.alternatives.map((alternative) => alternative.type)];
    roots.push({ label: `res ${method}`, node: graph.add(union(names.map(reference))) });
  }
  return roots;
}

function envelope(type: string, shapes: Shapes): string {
  const members = shapes.named(type)?.members;
  if (!members?.has("jsonrpc")) return "none";
  return members.has("id") ? "jsonrpc+id" : "jsonrpc";
}

function isError(name: string, shapes: Shapes): boolean {
  if (!name.endsWith("Error") || name === "Error" || name === "JSONRPCError") return false;
  const members = shapes.named(name)?.members;
  return members !== undefined && (members.has("code") || members.has("error"));
}

const NOWHERE = { line: 1, column: 1, start: 0, end: 0 };

function reference(name: string): ReferenceType {
  return { kind: "reference", name, span: NOWHERE };
}

function union(members: readonly TypeExpression[]): TypeExpression {
  return { kind: "union", members, span: NOWHERE };
}
