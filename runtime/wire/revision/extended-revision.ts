import { within } from "../validation/issues.js";
import { isObject } from "../validation/tests.js";
import { describeLike, type Trace, type Validator } from "../validation/validator.js";
import { completedBy } from "./on-demand.js";
import type { JoinedMembers, Method, Revision, Traits } from "./revision.js";

/** An extension's additions to the protocol, from its schema and facts (MCP: extensions). */
export interface ProtocolExtension {
  readonly id: string;
  /**
   * A trait that a revision must have to support the extension. In other revisions, the extension is neither declared
   * nor served. Default: all revisions support it.
   */
  readonly trait?: keyof Traits | undefined;
  readonly rows: readonly Method[];
  /** The results that may replace those of the revision, by method and then by `resultType`. */
  readonly alternatives?: Readonly<Record<string, Readonly<Record<string, Validator>>>> | undefined;
  /** The members that the extension adds to an object in the parameters of the revision's messages, by method. */
  readonly joins?: Readonly<Record<string, JoinedMembers>> | undefined;
}

/**
 * Adds extensions to a revision: their messages, alternative results and parameter members. The revision's own messages
 * take precedence. Alternative results require a revision whose results state their type.
 *
 * @throws TypeError if two extensions define the same result type or add to the same parameters
 */
export function extendedRevision(
  revision: Revision,
  extensions: readonly ProtocolExtension[],
): Revision {
  if (extensions.length === 0) return revision;
  const extended = { ...revision, methods: extendedTable(revision, extensions) };
  if (revision.load === undefined) return extended;
  return completedBy(extended, async () => {
    await revision.load?.();
    return { ...revision, methods: extendedTable(revision, extensions) };
  });
}

function extendedTable(
  revision: Revision,
  extensions: readonly ProtocolExtension[],
): Map<string, Method> {
  const methods = new Map(revision.methods);
  for (const extension of extensions) {
    if (!canExtend(extension, revision)) continue;
    addRows(methods, revision, extension);
    if (revision.traits.resultType) addAlternatives(methods, extension);
    addJoins(methods, extension);
  }
  return methods;
}

export function canExtend(
  { trait }: Pick<ProtocolExtension, "trait">,
  { traits }: Revision,
): boolean {
  return trait === undefined || traits[trait] === true;
}

/**
 * Adds an extension's messages. Notifications that only subscriptions receive are omitted if clients in this revision
 * cannot subscribe to them.
 */
function addRows(
  methods: Map<string, Method>,
  revision: Revision,
  { id, rows, joins = {} }: ProtocolExtension,
): void {
  const elsewhere = Object.entries(joins)
    .filter(([method]) => !revision.methods.has(method))
    .flatMap(([, { topics = {} }]) => Object.values(topics).map((topic) => topic.notification));
  for (const row of rows) {
    if (revision.methods.has(row.method) || elsewhere.includes(row.method)) continue;
    methods.set(row.method, { ...row, extension: id });
  }
}

function addAlternatives(
  methods: Map<string, Method>,
  { id, alternatives = {} }: ProtocolExtension,
): void {
  for (const [method, results] of Object.entries(alternatives)) {
    const row = methods.get(method);
    if (row === undefined) continue;
    const added = Object.entries(results).map(([type, result]) => {
      const other = row.inLieu?.[type]?.extension ?? id;
      if (other !== id) throw twice(`results of ${method} of the type ${type}`);
      return [type, { extension: id, result }] as const;
    });
    methods.set(method, { ...row, inLieu: { ...row.inLieu, ...Object.fromEntries(added) } });
  }
}

function addJoins(methods: Map<string, Method>, { id, joins = {} }: ProtocolExtension): void {
  for (const [method, joined] of Object.entries(joins)) {
    const row = methods.get(method);
    if (row?.params === undefined || row.joined?.extension === id) continue;
    if (row.joined) throw twice(`parameters of ${method}`);
    const params = withJoined(row.params, joined);
    methods.set(method, { ...row, params, joined: { ...joined, extension: id } });
  }
}

function withJoined(params: Validator, { member, check }: JoinedMembers): Validator {
  const joined = (value: unknown, trace?: Trace): value is unknown => {
    const isRight = params(value, trace);
    const container = isObject(value) ? value[member] : undefined;
    if (container === undefined) return isRight;
    if (trace === undefined) return isRight && check(container);
    const before = trace.length;
    within(trace, value as object as Record<string, unknown>, member, (one) => check(one, trace));
    return isRight && trace.length === before;
  };
  describeLike(joined, params);
  return joined;
}

function twice(what: string): TypeError {
  return new TypeError(`Two extensions define ${what}: leave one out`);
}
