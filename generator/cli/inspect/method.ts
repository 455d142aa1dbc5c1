import { conditionText } from "../../diff/condition-text.js";
import type { Method, Protocol } from "../../link/protocol.js";
import type { Outcome } from "../outcome.js";
import { alignRows } from "../table.js";
import { paint, type Text } from "../text.js";

/** One method: who sends it and how, what it carries, what it needs. */
export function inspectMethod(method: Method, protocol: Protocol): Outcome {
  const declaration = protocol.declarations.find(({ name }) => name === method.type);
  const rows: [string, string][] = [
    ["Kind", method.deprecated ? `${method.kind}, deprecated` : method.kind],
    ["Sent by", SENDERS[method.from] + (method.channel === "embedded" ? ", inside a result" : "")],
    ["Type", method.type],
    ["Parameters", paramsText(method) || "none"],
    ...(method.result ? [["Result", resultText(method)] as [string, string]] : []),
    ["Capability", method.capability ?? "none"],
    ...method.conditions.map((condition): [string, string] => ["", conditionText(condition)]),
    ["Paginated", method.paginated ? "yes" : "no"],
    ...(method.nameHeader ? [["Mcp-Name", method.nameHeader] as [string, string]] : []),
    ...(method.paramHeaders
      ? [["Mcp-Param-*", `by the schemas of ${method.paramHeaders}`] as [string, string]]
      : []),
    ...(method.role ? [["Role", `${method.role}, handled by the engine`] as [string, string]] : []),
  ];
  return {
    data: { revision: protocol.revision, method: methodToJson(method) },
    lines: [
      paint("bold", method.method),
      ...describe(declaration?.doc?.text),
      "",
      ...alignRows(rows),
    ],
  };
}

const SENDERS = { client: "the client", server: "the server", both: "both sides" } as const;

/** The description of a declaration, as lines below its name. */
export function describe(text: string | undefined): readonly Text[] {
  return text ? text.split("\n").map((line) => `  ${line}`.trimEnd()) : [];
}

/** Parameters in a few characters: `CallToolRequestParams`, with `?` when they may be absent. */
export function paramsText({ params }: Method): string {
  return params ? `${params.type}${params.optional ? "?" : ""}` : "";
}

export function resultText({ result }: Method): string {
  return result ? [result.type, ...result.alternatives.map(({ type }) => type)].join(" | ") : "";
}

/** A method as JSON: the linked model without what only the generator needs. */
export function methodToJson(method: Method): object {
  const { base: _base, ...shown } = method;
  return shown;
}
