import {
  type Context,
  count,
  type Outcome,
  packageVersion,
  renderJson,
  usageError,
  type Values,
} from "mcp-codegen/cli";
import { CHECKS } from "../checks/index.js";
import { examineClient } from "../doctor/client/examine-client.js";
import { sentenceOf, toJUnit, toSarif } from "../report/finding-forms.js";
import { failsAt } from "../report/summary.js";
import { findingLines, masked } from "./run-doctor.js";
import { readServer } from "./server-target.js";

/** `doctor --client`: examines a client, and reports what is wrong with it. */
export async function runClientDoctor(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const client = await readServer(values, diagnostics);
  if (client === undefined) return undefined;
  const { target, name, secrets } = client;
  if ("url" in target) {
    const hint = "For example: mcp-codegen doctor --client -- node client.js {url}";
    diagnostics.add(usageError("A client is a command after --.", hint));
    return undefined;
  }
  const timeout = (values.number("timeout") ?? 10) * 1000;
  const hints = values.flag("hints");
  const onstep = (step: string): void => progress.step(step);
  const examination = await examineClient(target, { timeout, hints, onstep });
  const { revision, checks, unreachable } = examination;
  if (unreachable !== undefined) {
    const message = `${name} cannot be started: ${unreachable}.`;
    diagnostics.add({ code: "MCG9101", severity: "error", message });
    return undefined;
  }
  const findings = examination.findings.map((finding) => masked(finding, secrets));
  const drift = failsAt(findings, values.text("fail-on"));
  const made = Object.keys(CHECKS).length + checks.size;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const data = { client: name, revision: revision?.id, checks: made, findings };
  if (values.flag("sarif")) {
    return { data, drift, lines: [renderJson(toSarif(findings, name, packageVersion()), 2)] };
  }
  if (values.flag("junit")) {
    const cases = [...Object.keys(CHECKS), ...checks].map((id) => ({
      group: revision?.id ?? "opening",
      name: id,
      failures: findings.filter((one) => one.id === id).map(sentenceOf),
    }));
    return { data, drift, lines: [toJUnit(name, cases)] };
  }
  const total = `${revision?.id ?? "no revision"}: ${count(made, "check")}, ${count(errors, "error")}`;
  return { data, drift, lines: [...findings.flatMap(findingLines), total] };
}
