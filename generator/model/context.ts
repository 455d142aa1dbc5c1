import { ts } from "ts-morph";
import type { Diagnostics, Span } from "../diagnostics.js";
import type { Source } from "../load/source.js";
import { type Comment, type PositionedTag, sectionFinder } from "./comments.js";
import { MAX_MESSAGE, MAX_NESTING, MAX_REFUSALS, MAX_TYPES } from "./limits.js";
import type { Constraints, TypeExpression } from "./schema-model.js";

/** A type with constraint tags, which are checked once references can be resolved. */
export interface ConstrainedNode {
  readonly type: TypeExpression;
  readonly constraints: Constraints;
  readonly tags: readonly PositionedTag[];
}

export class Context {
  readonly file: string;
  readonly sourceFile: ts.SourceFile;
  readonly comments: readonly Comment[];
  readonly constrained: ConstrainedNode[] = [];
  /** The start positions of the JSDoc comments that document something. */
  readonly attached = new Set<number>();
  /** The names of rejected declarations and imports. References to them do not cause further diagnostics. */
  readonly refused = new Set<string>();
  /** The types that stand in for rejected ones. Errors that merely follow from these types are not reported. */
  readonly standIns = new Set<TypeExpression>();
  readonly #diagnostics: Diagnostics;
  readonly #declared: ReadonlyMap<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>;
  readonly #sectionAt: (offset: number) => string | undefined;
  #depth = 0;
  #types = 0;
  #refusals = 0;

  constructor(
    source: Source,
    sourceFile: ts.SourceFile,
    comments: readonly Comment[],
    diagnostics: Diagnostics,
  ) {
    this.file = source.file;
    this.sourceFile = sourceFile;
    this.comments = comments;
    this.#diagnostics = diagnostics;
    this.#declared = new Map(
      sourceFile.statements
        .filter((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
        .map((node) => [node.name.text, node]),
    );
    this.#sectionAt = sectionFinder(sourceFile.text, comments);
  }

  get text(): string {
    return this.sourceFile.text;
  }

  get hasRefused(): boolean {
    return this.#refusals > 0;
  }

  declared(name: string): ts.InterfaceDeclaration | ts.TypeAliasDeclaration | undefined {
    return this.#declared.get(name);
  }

  span(node: ts.Node): Span {
    return this.spanAt(node.getStart(this.sourceFile), node.end);
  }

  spanAt(start: number, end: number): Span {
    const { line, character } = this.sourceFile.getLineAndCharacterOfPosition(start);
    return { line: line + 1, column: character + 1, start, end };
  }

  quote(node: ts.Node): string {
    const start = node.getStart(this.sourceFile);
    const text = this.text.slice(start, Math.min(node.end, start + 200)).replace(/\s+/g, " ");
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
  }

  /**
   * Reports an error, unless {@link MAX_REFUSALS} errors have already been reported. `example` contains schema lines to
   * which the hint refers.
   */
  refuse(at: ts.Node | Span, code: string, message: string, hint: string, example = ""): void {
    if (this.#refusals++ >= MAX_REFUSALS) return;
    const span = "kind" in at ? this.span(at) : at;
    const text = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
    this.#diagnostics.add({
      code,
      severity: "error",
      message: text,
      hint,
      ...(example && { example }),
      file: this.file,
      span,
    });
  }

  section(node: ts.Node): { section?: string } {
    const section = this.#sectionAt(node.getStart(this.sourceFile));
    return section === undefined ? {} : { section };
  }

  /** Runs `read` one level deeper, or returns undefined if a limit on depth or size is exceeded. */
  nested<T>(node: ts.Node, read: () => T): T | undefined {
    this.#types++;
    if (this.#types === MAX_TYPES + 1) {
      this.refuse(
        node,
        "MCG2004",
        `The schema has more than ${MAX_TYPES} types.`,
        "Check that this is the right file.",
      );
    }
    if (this.#types > MAX_TYPES) return undefined;
    if (this.#depth >= MAX_NESTING) {
      this.refuse(
        node,
        "MCG2002",
        `Types are nested more than ${MAX_NESTING} levels deep.`,
        "Declare the inner types with names of their own.",
      );
      return undefined;
    }
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}
