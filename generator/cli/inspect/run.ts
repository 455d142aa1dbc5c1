import type { Diagnostics } from "../../diagnostics.js";
import type { Protocol, SynthesizedType } from "../../link/protocol.js";
import type { Context, Values } from "../command.js";
import type { Outcome } from "../outcome.js";
import { readProtocol } from "../read-protocol.js";
import { suggest } from "../suggest.js";
import { paint } from "../text.js";
import { inspectMethod } from "./method.js";
import { overview } from "./overview.js";
import { inspectType } from "./type.js";

/** `inspect`: a revision, or one of its methods or types. */
export function runInspect(values: Values, { diagnostics }: Context): Outcome | undefined {
  const read = readProtocol(values.text("revision") ?? "", diagnostics);
  const name = values.text("name");
  if (read === undefined) return undefined;
  return name === undefined
    ? overview(read.protocol)
    : inspectNamed(name, read.protocol, diagnostics);
}

function inspectNamed(
  name: string,
  protocol: Protocol,
  diagnostics: Diagnostics,
): Outcome | undefined {
  const { methods, declarations, synthesized, revision } = protocol;
  const method = methods.find((candidate) => candidate.method === name);
  if (method) return inspectMethod(method, protocol);
  const declaration = declarations.find((candidate) => candidate.name === name);
  if (declaration) return inspectType(declaration, protocol);
  const synthetic = synthesized.find((candidate) => candidate.name === name);
  if (synthetic) return inspectSynthesized(synthetic, protocol);
  const known = [
    ...methods.map((candidate) => candidate.method),
    ...[...declarations, ...synthesized].map((candidate) => candidate.name),
  ];
  diagnostics.add({
    code: "MCG0005",
    severity: "error",
    message: `${revision} has no type or method "${name}".`,
    hint: suggest(name, known) ?? `"mcp-codegen inspect ${revision}" lists the methods.`,
  });
  return undefined;
}

/** A name that we gave to parameters: they are described where they are declared. */
function inspectSynthesized(
  { name, owner, member }: SynthesizedType,
  { revision }: Protocol,
): Outcome {
  return {
    data: { revision, parameters: { name, owner, member } },
    lines: [[paint("dim", "type "), paint("bold", name), ` = ${owner}["${member}"]`]],
    summary: `The schema declares it inline: see "mcp-codegen inspect ${revision} ${owner}".`,
  };
}
