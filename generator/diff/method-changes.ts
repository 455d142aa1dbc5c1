import type { Method, Protocol } from "../link/protocol.js";
import { conditionText } from "./type-text.js";
import type { Aspect, MethodChange } from "./protocol-diff.js";

export function methodChanges(before: Protocol, after: Protocol): MethodChange[] {
  const [old, now] = [before, after].map(
    ({ methods }) => new Map(methods.map((method) => [method.method, method])),
  ) as [Map<string, Method>, Map<string, Method>];
  const changes: MethodChange[] = [];
  for (const method of old.values()) {
    const other = now.get(method.method);
    if (!other) changes.push(presence("removed", method));
    else {
      const aspects = aspectsOf(method, other, before, after);
      if (aspects.length > 0) changes.push({ ...presence("changed", other), aspects });
    }
  }
  for (const method of now.values()) {
    if (!old.has(method.method)) changes.push(presence("added", method));
  }
  return changes;
}

function presence(change: MethodChange["change"], method: Method): MethodChange {
  const result = resultText(method);
  return {
    method: method.method,
    kind: method.kind,
    change,
    direction: directionText(method),
    ...(result && { result }),
    aspects: [],
  };
}

function aspectsOf(method: Method, other: Method, before: Protocol, after: Protocol): Aspect[] {
  const all: Aspect[] = [
    { aspect: "type", from: method.type, to: other.type },
    { aspect: "direction", from: directionText(method), to: directionText(other) },
    { aspect: "envelope", from: envelopeText(method, before), to: envelopeText(other, after) },
    { aspect: "params", from: paramsText(method, before), to: paramsText(other, after) },
    { aspect: "params optional", from: optionalText(method), to: optionalText(other) },
    { aspect: "result", from: resultText(method), to: resultText(other) },
    { aspect: "capability", from: method.capability ?? "none", to: other.capability ?? "none" },
    { aspect: "conditions", from: ownConditions(method, other), to: ownConditions(other, method) },
    { aspect: "paginated", from: String(method.paginated), to: String(other.paginated) },
    { aspect: "cacheable", from: String(method.cacheable), to: String(other.cacheable) },
    { aspect: "name header", from: method.nameHeader ?? "none", to: other.nameHeader ?? "none" },
    {
      aspect: "param headers",
      from: method.paramHeaders ?? "none",
      to: other.paramHeaders ?? "none",
    },
    { aspect: "deprecated", from: String(method.deprecated), to: String(other.deprecated) },
  ];
  return all.filter(({ from, to }) => from !== to);
}

function directionText({ from, channel }: Method): string {
  return channel === "embedded" ? `${from}, embedded` : from;
}

function resultText({ result }: Method): string {
  return result ? [result, ...result.alternatives].map(({ type }) => type).join(" | ") : "";
}

function envelopeText({ kind, channel }: Method, { traits }: Protocol): string {
  if (channel === "embedded" || traits.envelope === "outside") return "none";
  return kind === "request" ? "jsonrpc, id" : "jsonrpc";
}

function optionalText({ params }: Method): string {
  return params?.optional ? "optional" : "required";
}

function paramsText({ params }: Method, { synthesized }: Protocol): string {
  if (!params) return "none";
  return synthesized.some(({ name }) => name === params.type) ? "inline" : params.type;
}

function ownConditions(method: Method, other: Method): string {
  const known = new Set(other.conditions.map((condition) => JSON.stringify(condition)));
  return method.conditions
    .filter((condition) => !known.has(JSON.stringify(condition)))
    .map(conditionText)
    .join("; ");
}
