import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { diff } from "../../generator/diff/diff.js";
import type { Aspect, MemberChange, MethodChange } from "../../generator/diff/protocol-diff.js";
import { protocolOf } from "./bundled-protocols.js";
import { describeWith } from "../support/conditional.js";
import { hasStudy, STUDY, studyFile } from "../support/official.js";

interface Study {
  consts: string[];
  added: string[];
  removed: string[];
  renamed: string[];
  kind: string[];
  heritage: string[];
  members: [type: string, path: string, kind: string, text: string][];
  requests: string[];
  notifications: string[];
}

/**
 * Formats a change in the study's notation, which does not say that a number is an integer. The sign for same-wire
 * changes is compared separately.
 */
function memberLine(change: MemberChange): string {
  const path = change.path.join(".");
  const line = (kind: string, text: string) =>
    [change.type, path, kind, text.replaceAll("number (integer)", "number")].join(" § ");
  switch (change.change) {
    case "added":
    case "removed": {
      const from = change.inheritedFrom ? ` (from ${change.inheritedFrom})` : "";
      const sign = change.change === "added" ? "+" : "−";
      const text = change.text.replace(/ @\w+ \S+/g, "");
      return line(sign, `${change.optional ? "optional" : "required"} ${text}${from}`);
    }
    case "required":
      return line("required", "optional → required");
    case "optional":
      return line("optional", "required → optional");
    case "constraints":
      return line("constraints", `${change.from} → ${change.to}`);
    case "index":
      return line("index", `${change.from} → ${change.to}`);
    case "type":
      return line("type", `${change.from} → ${change.to}`);
  }
}

/** Formats a change of a union, for which the study has two notations: the arms, or both types. */
function unionLine(change: MemberChange): string | undefined {
  if (change.change !== "type" || change.added.length + change.removed.length === 0)
    return undefined;
  const arms = [...change.removed.map((arm) => `−${arm}`), ...change.added.map((arm) => `+${arm}`)];
  return [change.type, change.path.join("."), "union", arms.join(" ")].join(" § ");
}

const directions: Record<string, string> = {
  "client->server": "client",
  "server->client": "server",
  both: "both",
  "server->client (embedded in InputRequiredResult.inputRequests)": "server, embedded",
};
const envelopes: Record<string, string> = {
  "jsonrpc+id": "jsonrpc, id",
  jsonrpc: "jsonrpc",
  none: "none",
};

function methodLines({ method, change, direction, result, aspects }: MethodChange): string[] {
  if (change === "removed") return [`− ${method} ${direction}`];
  if (change === "added") return [`+ ${method} ${direction} ${result ?? ""}`.trim()];
  return aspects.map(({ aspect, from, to }) => `~ ${method} ${aspect}: ${from} → ${to}`);
}

function aspectLines(method: string, aspect: Aspect["aspect"], from: string, to: string): string[] {
  return from === to ? [] : [`~ ${method} ${aspect}: ${from} → ${to}`];
}

function bases(names: readonly string[]): string {
  return names.toSorted().join(", ") || "∅";
}

/** Returns the lines that a line of the study stands for. */
function studyLines(line: string): string[] {
  const presence = /^([+−]) (\S+) \((.+?)(?:; → (\S+))?\)$/.exec(line);
  if (presence) {
    const [, sign, method, direction, result] = presence;
    return [[sign, method, directions[direction!], result].filter(Boolean).join(" ")];
  }
  const [, method, aspects] = /^~ (\S+?): (.*)$/.exec(line)!;
  return aspects!.split("; ").flatMap((text) => {
    const [, aspect, from, to] =
      /^(direction|envelope in type:|result|params type|params) (.*) → (.*)$/.exec(text)!;
    if (aspect === "direction")
      return aspectLines(method!, "direction", directions[from!]!, directions[to!]!);
    if (aspect === "result") return aspectLines(method!, "result", from!, to!);
    if (aspect === "params") return aspectLines(method!, "params optional", from!, to!);
    if (aspect === "params type") {
      return aspectLines(method!, "params", from!.replace("?", ""), to!.replace("?", ""));
    }
    return aspectLines(method!, "envelope", envelopes[from!]!, envelopes[to!]!);
  });
}

describeWith(hasStudy("facts/diff.json"), STUDY, "diff against the study of the schemas", () => {
  const study = JSON.parse(readFileSync(studyFile("facts/diff.json"), "utf8")) as Record<
    string,
    Study
  >;
  const pairs = Object.entries(study).filter(([pair]) => !pair.endsWith("draft"));

  it.each(pairs)("%s", (pair, expected) => {
    const [from, to] = pair.split("..") as [string, string];
    const changes = diff(protocolOf(from), protocolOf(to));

    expect(changes.types.added).toEqual(expected.added);
    expect(changes.types.removed).toEqual(expected.removed);
    expect(changes.types.renamed.map((one) => `${one.from} → ${one.to}`)).toEqual(expected.renamed);
    expect(changes.types.kinds.map((one) => `${one.name}: ${one.from} → ${one.to}`)).toEqual(
      expected.kind,
    );
    const heritage = changes.heritage.map(
      (one) => `${one.name}: ${bases(one.from)} → ${bases(one.to)}`,
    );
    expect(heritage.toSorted()).toEqual(expected.heritage.toSorted());

    const constants = changes.constants
      .filter(({ origin }) => origin === "schema")
      .map(({ name, from: old, to: now }) => {
        if (old === undefined) return `+ ${name} = ${JSON.stringify(now)}`;
        if (now === undefined) return `- ${name} = ${JSON.stringify(old)}`;
        return `~ ${name}: ${JSON.stringify(old)} → ${JSON.stringify(now)}`;
      });
    expect(constants.toSorted()).toEqual(expected.consts.toSorted());

    const methods = changes.methods.flatMap(methodLines);
    const wanted = [...expected.requests, ...expected.notifications].flatMap(studyLines);
    expect(methods).toEqual(expect.arrayContaining(wanted));
    const studied = /^[+−]|direction:|envelope:|params:|params optional:|result:/;
    const rest = methods.filter((line) => studied.test(line) && !wanted.includes(line));
    expect(rest).toEqual([]);

    const found = changes.members.map(memberLine);
    const unions = changes.members.flatMap((change) => unionLine(change) ?? []);
    const same = changes.members
      .filter((change) => "sameWire" in change && change.sameWire)
      .map(memberLine);
    const seen = new Set<string>();
    for (const [type, path, kind, text] of expected.members) {
      const line = [type, path, kind.replace(/[≡≈]/, ""), text].join(" § ");
      const isFound = found.includes(line) || unions.includes(line);
      const limits = /^(.*) → \1 (@.*)$/.exec(text);
      if (limits) {
        expect(found).toContain([type, path, "constraints", ` → ${limits[2]!}`].join(" § "));
      } else expect(isFound ? line : `${line} is missing`).toBe(line);
      if (/[≡≈]/.test(kind)) expect(same).toContain(line);
      seen.add(`${type} ${path}`);
    }
    const more = changes.members.filter(
      (change) => !seen.has(`${change.type} ${change.path.join(".")}`),
    );
    expect(more.map(memberLine)).toEqual([]);
  });
});
