import type { MethodFamily } from "@mcp-codegen/runtime";
import type { Diagnostics } from "../diagnostics.js";
import type { Protocol } from "../link/protocol.js";
import { Shapes } from "../model/shape.js";
import { planCommon } from "./common-plan.js";
import { itemMembers, planFamilies } from "./families.js";
import { plan } from "./plan.js";
import { withPagers, FACADE_NAMING, planStubs } from "./stubs.js";
import { refuseStubs } from "./refusals.js";
import { RULES, RUNTIME } from "./runtime-imports.js";
import { planExtension } from "./plan-extension.js";
import { type UniversalPlan, universalWords } from "./universal-plan.js";

export interface LinkedExtension {
  readonly bundled: string;
  readonly protocol: Protocol;
  readonly extended: Protocol;
  readonly file: string;
}

export interface UniversalPlanOptions extends Omit<
  UniversalPlan,
  "packageName" | "newestPlan" | "stubs" | "families" | "lackingMembers" | "common" | "extensions"
> {
  readonly extensions: readonly LinkedExtension[];
}

export function planUniversal(
  settings: UniversalPlanOptions,
  diagnostics: Diagnostics,
): UniversalPlan {
  const newest = settings.protocols.at(-1)!;
  const report = { diagnostics, file: newest.file };
  const options = { file: report.file, version: settings.version, runtime: RUNTIME };
  const newestPlan = plan(newest, options, diagnostics);
  const stubs = withPagers(
    planStubs(newest.methods, "client", FACADE_NAMING),
    newestPlan.shapes,
    FACADE_NAMING,
  );
  refuseStubs({ ...newestPlan.client, className: "UniversalClient", stubs }, newest, report);
  for (const protocol of settings.allProtocols) refuseRules(protocol, diagnostics);
  const common = planCommon(settings.protocols);
  const { extensions: linked, ...parts } = settings;
  const extensions = linked.map(({ bundled, protocol, extended, file }) => {
    const words = settings.invocation.words ?? [
      ...universalWords(settings),
      ...(settings.invocation.options ?? []),
    ];
    const { revision: id } = protocol;
    const { version } = settings;
    const own = { id, extended, bundled, file, version, runtime: RUNTIME, invocation: { words } };
    return planExtension(protocol, own, diagnostics);
  });
  return {
    ...parts,
    extensions,
    packageName: "@mcp-codegen/universal",
    newestPlan,
    stubs,
    families: familiesOfAll(settings.protocols),
    lackingMembers: lackingMembers(settings.protocols),
    common,
  };
}

/**
 * Returns the method families of all revisions. If revisions define a family's member differently, the newest
 * definition wins.
 */
function familiesOfAll(protocols: readonly Protocol[]): MethodFamily[] {
  const all = new Map<string, MethodFamily>();
  for (const protocol of protocols.toReversed()) {
    for (const family of planFamilies(protocol, new Shapes(protocol.declarations))) {
      all.set(family.name, { ...family, ...all.get(family.name) });
    }
  }
  return [...all.values()];
}

function lackingMembers(protocols: readonly Protocol[]): UniversalPlan["lackingMembers"] {
  const own = protocols.map((protocol) => itemMembers(protocol, new Shapes(protocol.declarations)));
  const rows = protocols.map(({ revision }, index) => {
    const lists = [...own[index]!].flatMap(([family, members]) => {
      const all = own.flatMap((one) => one.get(family) ?? []);
      const lacking = [...new Set(all)].filter((name) => !members.includes(name)).toSorted();
      return lacking.length === 0 ? [] : [[family, lacking] as const];
    });
    return [revision, Object.fromEntries(lists)] as const;
  });
  return Object.fromEntries(rows);
}

function refuseRules({ places = [], file: schema }: Protocol, diagnostics: Diagnostics): void {
  for (const { fact, file = schema, span } of places) {
    if (!("rule" in fact) || RULES.includes(fact.rule)) continue;
    diagnostics.add({
      code: "MCG5010",
      severity: "error",
      message: `There is no rule ${fact.rule} in the runtime.`,
      hint: `The rules are ${RULES.join(", ")}. A new one is written in runtime/facade/project/rules.ts of the mcp-codegen repository.`,
      file,
      ...(span && { span }),
    });
  }
}
