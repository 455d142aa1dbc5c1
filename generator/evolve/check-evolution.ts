import type { Diagnostics, Span } from "../diagnostics.js";
import type { Protocol } from "../link/protocol.js";
import { Shapes } from "../model/shape.js";
import { kindOf } from "./kind.js";

export function checkEvolution(protocols: readonly Protocol[], diagnostics: Diagnostics): void {
  protocols.forEach((after, index) => {
    const before = protocols[index - 1];
    if (protocols.findIndex(({ revision }) => revision === after.revision) < index) {
      report(diagnostics, after, {
        code: "MCG4003",
        message: `The revision ${after.revision} is listed twice.`,
        hint: "List each revision once, the oldest first.",
      });
    } else if (before) {
      checkKinds(before, after, diagnostics);
      checkSuccessors(before, after, diagnostics);
    }
  });
}

function checkKinds(before: Protocol, after: Protocol, diagnostics: Diagnostics): void {
  const [old, now] = [new Shapes(before.declarations), new Shapes(after.declarations)];
  for (const declaration of after.declarations) {
    const { name, span } = declaration;
    const previous = old.declaration(name);
    const isStated = after.successors?.some(({ from }) => from === name);
    // A union of messages remains a union, even with a single alternative.
    if (!previous || isStated || Object.hasOwn(after.aggregates, name)) continue;
    const [was, is] = [kindOf(previous, old), kindOf(declaration, now)];
    if (was === is) continue;
    report(diagnostics, after, {
      code: "MCG4001",
      message: `${name} has the kind ${is}, but had the kind ${was} in ${before.revision}.`,
      hint: `State in the facts, under \`successors\`, which type replaced the old one. If ${after.revision} is older than ${before.revision}, choose an id for it that sorts earlier.`,
      span,
    });
  }
}

function checkSuccessors(before: Protocol, after: Protocol, diagnostics: Diagnostics): void {
  const names = before.declarations.map(({ name }) => name);
  const known = new Set([...names, ...before.methods.map(({ method }) => method)]);
  for (const { from, to } of after.successors ?? []) {
    if (known.has(from)) continue;
    const span = after.declarations.find(({ name }) => name === to)?.span;
    report(diagnostics, after, {
      code: "MCG4002",
      severity: "warning",
      message: `The facts state that ${to} replaces ${from}, which ${before.revision} does not declare.`,
      hint: "Correct the name in the facts, unless a revision between the two is left out.",
      ...(span && { span }),
    });
  }
}

interface Problem {
  readonly code: string;
  /** The severity. Default: `error`. */
  readonly severity?: "warning";
  readonly message: string;
  readonly hint: string;
  readonly span?: Span;
}

function report(diagnostics: Diagnostics, { file }: Protocol, problem: Problem): void {
  diagnostics.add({ severity: "error", ...problem, file });
}
