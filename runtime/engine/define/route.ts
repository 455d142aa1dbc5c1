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
 * Message that this side receives, bound: each member is one function, composed of the steps that the message really has
 * under the revision.
 */
export interface Route {
  readonly row: Method;
  /** Handler with everything around it; absent if the message is for the engine itself. */
  readonly handler: AnyHandler | undefined;
  /**
   * Validates parameters, and brings them into the form that handlers are written for.
   * @throws RpcError for a request, InvalidMessageError for a notification
   */
  readonly readParams: (params: unknown, context: HandlerContext) => unknown;
  /** Obtains what a handler's result still needs; absent if results are always final. */
  readonly conclude: RouteSteps["conclude"];
  /**
   * Brings a handler's result into the form in which it is sent, and validates that.
   * @throws HandlerError if the result is invalid
   */
  readonly writeResult: (result: unknown, context: HandlerContext) => unknown;
}

/** Message that this side sends, bound to a revision. */
export interface OutboundRoute {
  readonly row: Method;
  /** Brings parameters into the form of the revision; absent if they already are. */
  readonly project: ((params: unknown) => unknown) | undefined;
  /**
   * Checks projected parameters; absent if there is nothing to check.
   * @throws TypeError if they must not be sent
   */
  readonly check: ((params: unknown) => unknown) | undefined;
  /**
   * Validates a received result, and brings it into the form that callers are written for.
   * @throws InvalidMessageError if the result is invalid
   */
  readonly readResult: (result: unknown, params: unknown) => unknown;
}

/** Everything that the steps of a route depend on. */
export interface RouteParts extends ParamsChecks {
  /** Absent while no revision is agreed on: messages are not projected then. */
  readonly revision?: Revision | undefined;
  readonly onloss?: OnLoss | undefined;
  readonly steps?: readonly RouteSteps[];
  /** Members of the parameters that need a capability which this side does not declare. */
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

/** Composes the route of a message that is sent. */
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

/** Calls functions one after the other, each with what the one before returned. */
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

/** Calls functions until one has something to return. */
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

/** A validator that also demands what the steps check. */
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
