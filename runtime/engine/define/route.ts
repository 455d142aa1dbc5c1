import type { AnyHandler, HandlerContext, RouteSteps } from "../../api/index.js";
import {
  InvalidMessageError,
  type Issue,
  type Method,
  type OnLoss,
  type Revision,
  type UndeclaredParams,
  type Validator,
  concernsParams,
  inLieuOf,
  isObject,
  isValid,
  refusedIn,
  withoutDropped,
} from "../../wire/index.js";
import { invalidParams } from "./errors.js";
import {
  type ParamsChecks,
  invalidAnswer,
  invalidResult,
  issuesOf,
  paramsIssues,
  paramsTest,
  summarize,
} from "./validity.js";

/**
 * Route of a received message: each member is one function, composed of only the steps that the
 * message needs under the revision.
 */
export interface Route {
  readonly row: Method;
  /** Handler with its middleware; absent if the message is addressed to the engine itself. */
  readonly handler: AnyHandler | undefined;
  /**
   * Validates parameters, and converts them to the form that handlers expect.
   * @throws RpcError for a request, InvalidMessageError for a notification
   */
  readonly readParams: (params: unknown, context: HandlerContext) => unknown;
  /**
   * Completes a handler's result, for example with the client's answers; absent if results are
   * always final.
   */
  readonly conclude: RouteSteps["conclude"];
  /**
   * Converts a handler's result to the form that is sent, and validates it.
   * @throws HandlerError if the result is invalid
   */
  readonly writeResult: (result: unknown, context: HandlerContext) => unknown;
}

/** Route of a message that this side sends, bound to a revision. */
export interface OutboundRoute {
  readonly row: Method;
  /** Converts parameters to the form of the revision; absent if they already have it. */
  readonly project: ((params: unknown) => unknown) | undefined;
  /**
   * Checks projected parameters; absent if there is nothing to check.
   * @throws TypeError if they may not be sent
   */
  readonly check: ((params: unknown) => unknown) | undefined;
  /**
   * Validates a received result, and converts it to the form that callers expect.
   * @throws InvalidMessageError if the result is invalid
   */
  readonly readResult: (result: unknown, params: unknown) => unknown;
}

/** Everything that the steps of a route depend on. */
export interface RouteParts extends ParamsChecks {
  /** Absent while no revision has been negotiated; messages are not projected then. */
  readonly revision?: Revision | undefined;
  readonly onloss?: OnLoss | undefined;
  readonly steps?: readonly RouteSteps[];
  /** Members of the parameters that need a capability that this side does not declare. */
  readonly undeclared?: UndeclaredParams | undefined;
}

type Step<Context = HandlerContext> = (value: unknown, context: Context) => unknown;

/** Composes the route of a received message. */
export function inboundRoute(parts: RouteParts, handler: AnyHandler | undefined): Route {
  const { row, revision, onloss, steps = [], undeclared } = parts;
  const projection = revision?.projection;
  return {
    row,
    handler,
    readParams: inOrder<HandlerContext>([
      validated(parts),
      undeclared?.refused.length && refusing(undeclared),
      undeclared?.dropped.length && dropping(undeclared),
      ...steps.map((one) => one.readParams),
      projection?.up(row, "params"),
    ]),
    conclude: firstOf(steps.flatMap((one) => one.conclude ?? [])),
    writeResult: inOrder<HandlerContext>([
      projection?.down(row, "result", onloss),
      ...steps.map((one) => one.writeResult),
      sendable(parts),
    ]),
  };
}

/** Composes the route of a sent message. */
export function outboundRoute({ row, revision, onloss, steps = [] }: RouteParts): OutboundRoute {
  const known = revision?.methods.get(row.method);
  const checks = steps.flatMap((one) => one.writeParams ?? []);
  return {
    row,
    project: known && revision?.projection?.down(known, "params", onloss),
    check: checks.length === 0 ? undefined : inOrder<void>(checks),
    readResult: resultReader(row, revision, steps),
  };
}

/** Composes functions that run in order, each with the result of the one before. */
function inOrder<Context>(all: readonly (Step<Context> | 0 | undefined)[]): Step<Context> {
  const steps = all.filter((step) => typeof step === "function");
  const [first, second, third] = steps;
  if (first === undefined) return (value) => value;
  if (second === undefined) return first;
  if (third === undefined) return (value, context) => second(first(value, context), context);
  if (steps.length === 3)
    return (value, context) => third(second(first(value, context), context), context);
  return (value, context) => {
    let current = value;
    for (const step of steps) current = step(current, context);
    return current;
  };
}

/** Composes functions of which the first that returns a value wins. */
function firstOf(
  all: readonly NonNullable<RouteSteps["conclude"]>[],
): RouteSteps["conclude"] | undefined {
  if (all.length < 2) return all[0];
  return (result, context) => {
    for (const one of all) {
      const outcome = one(result, context);
      if (outcome) return outcome;
    }
    return undefined;
  };
}

function validated(checks: ParamsChecks): Step {
  const { method, kind } = checks.row;
  const accepts = paramsTest(checks);
  return (params) => {
    if (accepts(params)) return params;
    const issues = paramsIssues(checks, params);
    const problem = summarize(issues);
    if (kind === "request") throw invalidParams(problem);
    throw new InvalidMessageError(`${method}: ${problem}`, issues);
  };
}

function refusing(undeclared: UndeclaredParams): Step {
  return (params) => {
    const condition = refusedIn(undeclared, params);
    if (condition === undefined) return params;
    throw invalidParams(`/${condition.member}: ${condition.capability} is not declared`);
  };
}

function dropping(undeclared: UndeclaredParams): Step {
  const isConcerned = concernsParams(undeclared.dropped);
  return (params) => (isConcerned(params) ? withoutDropped(undeclared, params) : params);
}

function sendable({ row, undeclared, steps = [] }: RouteParts): Step {
  const isTask = !undeclared?.dropped.some(({ member }) => member === "task");
  const validatorOf = resultValidator(row, steps, isTask);
  return (result, context) => {
    const validator =
      typeof validatorOf === "object" ? validatorOf.only : validatorOf(result, context.params);
    if (validator === undefined || isValid(validator, result, false)) return result;
    throw invalidResult(row, context.params, result, issuesOf(validator, result));
  };
}

function resultReader(
  row: Method,
  revision: Revision | undefined,
  steps: readonly RouteSteps[],
): OutboundRoute["readResult"] {
  const validatorOf = resultValidator(row, steps, true);
  const completions = steps.flatMap((one) => one.readResult ?? []);
  const raise = revision?.projection?.up(row, "result");
  const complete = completions.length === 0 ? undefined : inOrder<void>(completions);
  return (received, params) => {
    const result = complete ? complete(received) : received;
    const validator =
      typeof validatorOf === "object" ? validatorOf.only : validatorOf(result, params);
    if (validator === undefined || isValid(validator, result, false))
      return raise ? raise(result) : result;
    for (const step of steps) {
      const reading = step.rescue?.(result, params);
      if (reading === undefined) continue;
      if (reading.revision === revision) validator?.(reading.result);
      const raiseOther = reading.revision.projection?.up(row, "result");
      return raiseOther ? raiseOther(reading.result) : reading.result;
    }
    throw invalidAnswer(row, params, result, issuesOf(validator, result));
  };
}

/** The only validator of a method's results, or the choice among several. */
type ResultValidator =
  | { readonly only: Validator | undefined }
  | ((result: unknown, params: unknown) => Validator | undefined);

/** @param mayBeTask - false if no request of the method can be turned into a task */
function resultValidator(
  row: Method,
  steps: readonly RouteSteps[],
  mayBeTask: boolean,
): ResultValidator {
  const strict = (validator: Validator | undefined): Validator | undefined =>
    validator && checkedBy(validator, steps);
  const final = strict(row.result);
  const task = mayBeTask ? row.taskResult : undefined;
  const { inputResult, inLieu } = row;
  if (!task && !inputResult && !inLieu) return { only: final };
  const strictTask = strict(task);
  const strictInput = strict(inputResult);
  const others = new Map(
    Object.values(inLieu ?? {}).map((one) => [one.result, strict(one.result)] as const),
  );
  return (result, params) => {
    if (strictInput && isObject(result) && result["resultType"] === "input_required")
      return strictInput;
    const other = inLieu && inLieuOf(row, result);
    if (other) return others.get(other.result);
    const isTask = task && (params as { readonly task?: unknown } | undefined)?.task !== undefined;
    return isTask && task(result) ? strictTask : final;
  };
}

/** Returns a validator that also applies the checks of the steps. */
function checkedBy(validator: Validator, steps: readonly RouteSteps[]): Validator {
  const checks = steps.flatMap((one) => one.checkResult?.(validator) ?? []);
  if (checks.length === 0) return validator;
  return (value, trace): value is unknown => {
    if (!validator(value, trace)) return false;
    for (const check of checks) {
      const issues: readonly Issue[] | undefined = check(value);
      if (issues === undefined) continue;
      trace?.push(...issues);
      return false;
    }
    return true;
  };
}
