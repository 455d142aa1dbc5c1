import type { Diagnostic, Diagnostics } from "../diagnostics.js";
import { locate } from "./json-position.js";
import type { Declaration, SchemaModel, TypeExpression } from "../model/schema-model.js";
import { Shapes } from "../model/shape.js";
import { withSite, correct } from "./errata.js";
import type { Facts, Problem } from "./facts.js";
import { MAX_PROBLEMS } from "./read-facts.js";
import type { Protocol } from "./protocol.js";

export class LinkContext {
  readonly model: SchemaModel;
  /** The schema's own declarations, without imported ones. */
  readonly own: readonly Declaration[];
  readonly shapes: Shapes;
  readonly facts: Facts;
  readonly extended: Protocol | undefined;
  readonly #problems: Problem[] = [];
  readonly #bases: ReadonlySet<string>;

  constructor(model: SchemaModel, facts: Facts, extended?: Protocol) {
    const corrected = correct(model, facts);
    this.model = withSite(corrected.model, facts.specification ?? extended?.specification);
    const { declarations } = this.model;
    this.own = declarations.filter(({ imported }) => !imported);
    this.facts = facts;
    this.extended = extended;
    this.shapes = new Shapes([...(extended?.declarations ?? []), ...declarations]);
    this.#problems.push(...corrected.problems);
    this.#bases = basesOf(this.model);
  }

  isBase(name: string): boolean {
    return this.#bases.has(name);
  }

  report(problem: Problem): void {
    this.#problems.push(problem);
  }

  get hasErrors(): boolean {
    return this.open().some(({ severity }) => severity !== "warning");
  }

  /**
   * Returns the problems that are not accepted by any fact, and a problem for each fact that does not accept anything.
   */
  open(): readonly Problem[] {
    const accepted = this.facts.accepted ?? [];
    const covers = (fact: (typeof accepted)[number], problem: Problem) =>
      fact.code === problem.code && fact.about === problem.about;
    const open = this.#problems.filter(
      (problem) => !accepted.some((fact) => covers(fact, problem)),
    );
    accepted.forEach((fact, index) => {
      if (this.#problems.some((problem) => covers(fact, problem))) return;
      open.push({
        code: "MCG3065",
        message: `The fact accepts ${fact.code} about ${fact.about}, which was not found.`,
        hint: "Remove the fact, or correct its code or name.",
        fact: ["accepted", index],
      });
    });
    return open;
  }

  /**
   * Reports the first {@link MAX_PROBLEMS} open problems.
   * @returns true if none of these is an error
   */
  finish(diagnostics: Diagnostics): boolean {
    const items = this.open()
      .slice(0, MAX_PROBLEMS)
      .map((problem) => this.#diagnostic(problem));
    for (const item of items) diagnostics.add(item);
    return items.every((item) => item.severity !== "error");
  }

  #diagnostic({
    code,
    severity = "error",
    message,
    hint,
    example,
    span,
    fact,
  }: Problem): Diagnostic {
    const { origin } = this.facts;
    const place = fact
      ? origin && { file: origin.file, span: locate(origin.text, fact) }
      : { file: this.model.file, ...(span && { span }) };
    return { code, severity, message, hint, ...(example && { example }), ...place };
  }
}

function basesOf({ declarations }: SchemaModel): Set<string> {
  const bases = declarations.flatMap((declaration) => {
    if (declaration.kind === "interface") return declaration.extends.flatMap(operands);
    return declaration.kind === "alias" && declaration.type.kind === "intersection"
      ? operands(declaration.type)
      : [];
  });
  return new Set(bases);
}

function operands(type: TypeExpression): string[] {
  if (type.kind === "reference") return [type.name];
  if (type.kind === "omit") return operands(type.base);
  return type.kind === "intersection" ? type.members.flatMap(operands) : [];
}
