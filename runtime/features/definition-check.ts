import type { FeatureHost } from "../api/index.js";
import { summarize } from "../engine/index.js";
import { type Revision, isObject, itemIssues, quote } from "../wire/index.js";

export interface DefinitionCheckOptions<Definition> {
  /** Noun for error messages: `resource`. */
  readonly what: string;
  /** The wire method that lists definitions, and the member of its result that has them. */
  readonly method: string;
  readonly member: string;
  readonly keyOf: (definition: Definition) => string;
  /** Revisions whose rules hold. Default: those of the server, as soon as there is one. */
  readonly revisions: readonly Revision[] | undefined;
}

/** Check of definitions when they are registered, so that a wrong one does not spoil the list for all. */
export class DefinitionCheck<Definition> {
  readonly #options: DefinitionCheckOptions<Definition>;
  #revision: Revision | undefined;

  constructor(options: DefinitionCheckOptions<Definition>) {
    this.#options = options;
    this.#revision = ownRevision(options.revisions);
  }

  /** @throws TypeError for a wrong one among those that were registered before the server was made */
  attach({ revisions, checksContent }: FeatureHost, registered: readonly Definition[]): void {
    if (this.#options.revisions !== undefined || !checksContent) return;
    this.#revision = ownRevision(revisions);
    for (const definition of registered) this.assert(definition);
  }

  /** @throws TypeError that says what is wrong, and where */
  readonly assert = (definition: Definition): void => {
    const { what, method, member, keyOf } = this.#options;
    const row = this.#revision?.methods.get(method);
    if (row?.result === undefined) return;
    const list = { [member]: [definition] };
    const sent = this.#revision!.projection?.down(row, "result", list, undefined) ?? list;
    const [item] = isObject(sent) ? (sent[member] as readonly unknown[]) : [];
    const issues = itemIssues(row.result, member, item);
    if (issues.length === 0) return;
    const name = quote(String(keyOf(definition)));
    throw new TypeError(`The ${what} ${name} cannot be listed: ${summarize(issues)}`);
  };
}

/** The revision in whose shapes definitions are given; the preferred one where it is not among them. */
function ownRevision(revisions: readonly Revision[] | undefined): Revision | undefined {
  return revisions?.find(({ projection }) => projection === undefined) ?? revisions?.[0];
}
