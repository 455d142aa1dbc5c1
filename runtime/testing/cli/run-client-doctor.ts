import {
  type Context,
  type Outcome,
  usageError,
  type Values,
  withoutSecrets,
} from "mcp-codegen/cli";
import { CHECK_GROUPS } from "../checks/index.js";
import { examineClient } from "../doctor/client/examine-client.js";
import { entryOfDoctor } from "../report/entries.js";
import { examinedAt, examinedLine } from "../report/lines.js";
import { reportOf } from "../report/report.js";
import { masked, readServer } from "./server-target.js";

const UNCONNECTED = "The client did not connect: nothing else was examined.";

export async function runClientDoctor(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const hint = "For example: mcp-codegen doctor --client -- node client.js {url}";
  if (values.text("url") === undefined && values.words("command") === undefined) {
    diagnostics.add(usageError("There is no client.", hint));
    return undefined;
  }
  const client = await readServer(values, diagnostics);
  if (client === undefined) return undefined;
  const { target, name, secrets } = client;
  if ("url" in target) {
    diagnostics.add(usageError("A client is a command after --.", hint));
    return undefined;
  }
  const timeout = values.number("timeout")! * 1000;
  const hints = values.flag("hints");
  const onstep = (step: string): void => progress.step(step);
  const examination = await examineClient(target, { timeout, hints, onstep });
  const { revision, checks, unreachable } = examination;
  if (unreachable !== undefined) {
    const message = `${name} cannot be started: ${withoutSecrets(unreachable, secrets)}.`;
    diagnostics.add({ code: "MCG9101", severity: "error", message });
    return undefined;
  }
  const findings = masked(examination.findings, secrets);
  const made = [...CHECK_GROUPS.messages, ...checks];
  const id = revision?.id;
  const checked = id === undefined ? [] : [{ revision: id, checks: made }];
  const revisions = checked.map((one) => examinedAt(one.revision, made, findings));
  const data = { client: name, revisions, findings, cutShort: examination.isCutShort };
  const entries = findings.map(entryOfDoctor);
  const left = "The client left before all requests were sent to it: the rest was not examined.";
  const absent = id === undefined ? [UNCONNECTED] : [];
  const gaps = examination.isCutShort ? [left] : absent;
  const end = [...revisions.map(examinedLine), ...gaps];
  return reportOf({ source: { name }, entries, checked, data, gaps, end }, values);
}
