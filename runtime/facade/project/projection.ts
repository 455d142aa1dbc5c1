import {
  CapabilityError,
  Derivation,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type Method,
  type ProjectError,
  type Projection,
  type Revision,
  RpcError,
  type Trace,
  isObject,
  withoutServerInfo,
} from "../../wire/index.js";
import { summarize } from "../../engine/index.js";
import { isDevelopment } from "../is-development.js";
import { type Translation, translationOf } from "./composition.js";
import { LOST, type Rule, type Step } from "./step.js";
import { isSame, Lowering, raise } from "./translate.js";

/**
 * Translates between the newest revision and another one. A message in which the two do not differ has no translation.
 *
 * @param steps - from the newest revision to this one; composed when the first route is bound
 */
export function projection(revision: Revision, steps: readonly Step<Rule>[]): Projection {
  let composed: Translation | undefined;
  const translation = (): Translation => (composed ??= translationOf(revision, steps));
  /** Translations of lists that are sent again and again. */
  const kept = new Derivation();
  const isChecking = isDevelopment();
  return {
    down(row, part, onloss) {
      const { methods, shapes } = translation();
      const { method } = row;
      const name = methods.get(method)?.[part];
      if (name === undefined) return undefined;
      const shape = shapes.get(name)!;
      const message = { revision: revision.id, method, part, onloss };
      const lower = (value: unknown): unknown => {
        const own = part === "result" ? ofThisServer(value) : value;
        const lowered = new Lowering(translation(), message).walk(name, own);
        if (lowered !== LOST) return lowered;
        throw new CapabilityError(`${method} was not sent: ${revision.id} has no way to say it`);
      };
      const project = (value: unknown): unknown =>
        value === undefined || isSame(shape, value) ? value : kept.of(value, () => lower(value));
      // Results are checked in any case, before they are sent.
      if (!isChecking || part === "result") return project;
      return (value) => {
        const projected = project(value);
        if (value !== undefined) assertFits(row, projected, revision);
        return projected;
      };
    },
    up({ method }, part) {
      const { methods, shapes } = translation();
      const name = methods.get(method)?.[part];
      if (name === undefined) return undefined;
      return (value) => (value === undefined ? value : raise(shapes, name, value));
    },
  };
}

function assertFits(
  { method, params: validator }: Method,
  params: unknown,
  { id }: Revision,
): void {
  const issues: Trace = [];
  if (validator === undefined || validator(params, issues)) return;
  throw new TypeError(`${method} was not sent: it is not as ${id} has it: ${summarize(issues)}`);
}

/** Removes the name of another server, if a handler passes on a result that it received. */
function ofThisServer(result: unknown): unknown {
  const meta = isObject(result) ? result["_meta"] : undefined;
  if (!isObject(meta)) return result;
  const others = withoutServerInfo(meta);
  return others === meta ? result : { ...(result as object), _meta: others };
}

/** Code for an unknown resource, in the revisions that have a code for it. */
const RESOURCE_NOT_FOUND = -32002;

/** Codes that only the protocol may give a meaning (MCP: error codes). */
const RESERVED = { from: -32099, to: -32020 };

/**
 * Maps errors to those of a revision: its own one for a resource that does not exist, and an internal error, which
 * counts as a loss, for a code that means something only in other revisions, or in none.
 */
export function errorProjection({ id, errorCodes }: Revision): ProjectError {
  const own = new Set(Object.values(errorCodes));
  const notFound = errorCodes["RESOURCE_NOT_FOUND"] ?? INVALID_PARAMS;
  return ({ method, params }, error, onloss) => {
    const { code, message, data } = error;
    if (method === "resources/read" && code !== notFound && isNotFound(error)) {
      return new RpcError(notFound, message, data ?? uriOf(params));
    }
    if (own.has(code) || !isReserved(code)) return error;
    const replacement = new RpcError(INTERNAL_ERROR, message);
    const reason = `there is no error with the code ${code}`;
    const instead = onloss?.({ revision: id, method, path: "", reason, value: error, replacement });
    return instead instanceof RpcError ? instead : replacement;
  };
}

function isNotFound({ code, data }: RpcError): boolean {
  const hasUri = isObject(data) && typeof data["uri"] === "string";
  return code === RESOURCE_NOT_FOUND || (code === INVALID_PARAMS && hasUri);
}

function isReserved(code: number): boolean {
  return code === RESOURCE_NOT_FOUND || (code >= RESERVED.from && code <= RESERVED.to);
}

function uriOf(params: unknown): { readonly uri: unknown } | undefined {
  return isObject(params) ? { uri: params["uri"] } : undefined;
}
