import {
  type Context,
  count,
  isLoopback,
  type Outcome,
  paint,
  suggest,
  type Text,
  usageError,
  type Values,
  withoutSecrets,
} from "mcp-codegen/cli";
import { junitOf } from "../report/junit.js";
import { torture, TORTURE_CASES, type TortureOutcome } from "../torture/run-torture.js";
import { masked, readServer } from "./server-target.js";

export async function runTorture(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const known = TORTURE_CASES.map(({ id }) => id);
  const only = values.list("only").flatMap((words) => words.split(","));
  for (const id of only.filter((one) => !known.includes(one))) {
    const hint = suggest(id, known) ?? `There are: ${known.join(", ")}.`;
    diagnostics.add(usageError(`There is no case ${JSON.stringify(id)}.`, hint));
  }
  const server = await readServer(values, diagnostics);
  if (server === undefined || diagnostics.hasErrors) return undefined;
  const { target, name, secrets } = server;
  if ("url" in target && !isLoopback(target.url.hostname) && !values.flag("yes")) {
    const problem = `${name} is not on this machine, and torture may stop it.`;
    diagnostics.add(usageError(problem, "Add --yes if it is a server of your own."));
    return undefined;
  }
  const seed = values.number("seed") ?? 1;
  let outcomes: readonly TortureOutcome[];
  try {
    outcomes = await torture(target, {
      ...(only.length > 0 && { only }),
      seed,
      timeout: values.number("timeout")! * 1000,
      onstep: (id) => progress.step(id),
    });
  } catch (error) {
    const message = withoutSecrets(`${name}: ${(error as Error).message}.`, secrets);
    diagnostics.add({ code: "MCG9101", severity: "error", message });
    return undefined;
  }
  const cases = masked(outcomes, secrets);
  const failed = cases.filter(({ outcome }) => outcome === "failed");
  const data = { server: name, seed, cases };
  const drift = failed.length > 0;
  if (values.flag("junit")) {
    const tests = cases.map(({ id, sentence, outcome, message }) => ({
      group: "torture",
      name: `${id}: ${sentence}`,
      failures: message === undefined ? [] : [message],
      skipped: outcome === "skipped" ? "This case is for another transport." : undefined,
    }));
    return { data, drift, lines: [junitOf(name, tests)] };
  }
  const total = `${count(cases.length, "case")}, ${failed.length} failed`;
  return { data, drift, lines: [...cases.map(caseLine), total] };
}

const STYLES = { passed: "green", failed: "red", skipped: "dim" } as const;

function caseLine({ id, sentence, outcome, message }: TortureOutcome): Text {
  return [paint(STYLES[outcome], outcome), ` ${id}: ${message ?? sentence}`];
}
