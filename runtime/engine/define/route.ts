import type { AnyHandler, HandlerContext, RouteSteps } from "../../api/index.js";
import {
  type Condition,
  InvalidMessageError,
  type Issue,
  type Method,
  type OnLoss,
  type Revision,
  type Validator,
  concernsParams,
  inLieuOf,
  isDropped,
  isObject,
  isValid,
  refusedIn,
  withoutDropped,
} from "../../wire/index.js";
import { invalidParams } from "./errors.js";
import { invalidAnswer, invalidResult, issuesOf, summarize } from "./validity.js";

export type Step = (value: unknown, context: HandlerContext) => unknown;

/** The route of a received message. It contains only the steps that the message needs in its revision. */
export interface Route {
  readonly row: Method;
  /** The handler with its middleware; absent if the message is addressed to the engine itself. */
  readonly handler: AnyHandler | undefined;
  /**
   * The steps that validate parameters and convert them to the form that handlers expect. They throw an RpcError for a
   * request and an InvalidMessageError for a notification.
   */
  readonly reading: readonly Step[];
  /**
   * Completes a handler's result, for example with the client's answers; absent if results are
   * always final.
   */
  readonly conclude: RouteSteps["conclude"];
  /** The steps that convert a handler's result to the form that is sent, and then validate it. */
  readonly writing: readonly Step[];
  readonly failing: readonly NonNullable<RouteSteps["failing"]>[];
}

export interface OutboundRoute {
  readonly row: Method;
  /** Converts parameters to the form that the revision uses; absent if they already have it. */
  readonly project: ((params: unknown) => unknown) | undefined;
  /**
   * Checks projected parameters; absent if there is nothing to check.
   * @throws TypeError if they must not be sent
   */
  readonly check: ((params: unknown) => unknown) | undefined;
  /**
   * Validates a received result, and converts it to the form that callers expect.
   * @throws InvalidMessageError if the result is invalid
   */
  readonly readResult: (result: unknown, params: unknown) => unknown;
}

/**
 * The validators of a message's parameters: one for the method, and one for the members that all messages of the
 * revision share.
 */
export interface ParamsChecks {
  readonly row: Method;
  /** Absent if the revision's parameter types already include the shared members. */
  readonly shared?: Validator | undefined;
}

export interface RouteParts extends ParamsChecks {
  /** Absent while no revision has been negotiated, in which case messages are not projected. */
  readonly revision?: Revision | undefined;
  readonly onloss?: OnLoss | undefined;
  readonly steps?: readonly RouteSteps[];
  readonly undeclared?: readonly Condition[];
}

export function inboundRoute(parts: RouteParts, handler: AnyHandler | undefined): Route {
  const { row, revision, onloss, steps = [], undeclared = [] } = parts;
  const projection = revision?.projection;
  return {
    row,
    handler,
    reading: present([
      paramsCheck(parts),
      refusing(undeclared),
      removing(undeclared, steps),
      ...steps.map((one) => one.readParams),
      projection?.up(row, "params"),
    ]),
    conclude: firstOf(steps.flatMap((one) => one.conclude ?? [])),
    writing: present([
      // Capabilities that an older revision lacks are not reported as a loss, because its clients cannot use them.
      projection?.down(row, "result", row.role === "initialize" ? undefined : onloss),
      ...steps.map((one) => one.writeResult),
      sendable(parts),
    ]),
    failing: steps.flatMap((one) => one.failing ?? []),
  };
}

export function outboundRoute({ row, revision, onloss, steps = [] }: RouteParts): OutboundRoute {
  const known = revision?.methods.get(row.method);
  const checks = steps.flatMap((one) => one.writeParams ?? []);
  return {
    row,
    project: known && revision?.projection?.down(known, "params", onloss),
    check: inOrder(checks),
    readResult: resultReader(row, revision, steps),
  };
}

function present(steps: readonly (Step | undefined)[]): readonly Step[] {
  return steps.filter((step) => step !== undefined);
}

function inOrder(
  steps: readonly ((value: unknown) => unknown)[],
): ((value: unknown) => unknown) | undefined {
  if (steps.length < 2) return steps[0];
  return (value) => steps.reduce((current, step) => step(current), value);
}

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

/**
 * Creates a check for the parameters of a received message. The check returns valid parameters; otherwise it throws an
 * RpcError for a request and an InvalidMessageError for a notification.
 */
export function paramsCheck({ row, shared }: ParamsChecks): (params: unknown) => unknown {
  const { method, kind, params: own = isObject } = row;
  const mayLack = row.params === undefined || row.paramsOptional;
  return (params) => {
    const isAccepted =
      typeof params === "object" && params !== null && !Array.isArray(params)
        ? own(params) && (shared === undefined || shared(params))
        : params === undefined && mayLack;
    if (isAccepted) return params;
    const issues = issuesOf(own, params);
    if (issues.length === 0 && shared) issues.push(...issuesOf(shared, params));
    const problem = summarize(issues);
    if (kind === "request") throw invalidParams(problem);
    throw new InvalidMessageError(`${method}: ${problem}`, issues);
  };
}

function refusing(undeclared: readonly Condition[]): Step | undefined {
  if (undeclared.every(isDropped)) return undefined;
  return (params) => {
    const condition = refusedIn(undeclared, params);
    if (condition === undefined) return params;
    throw invalidParams(`/${condition.member}: ${condition.capability} is not declared`);
  };
}

/**
 * Creates a function that removes the members that handlers never receive: those that have no effect, and those that
 * features reserve.
 */
function removing(
  undeclared: readonly Condition[],
  steps: readonly RouteSteps[],
): Step | undefined {
  const reserved = steps.flatMap((one) => one.reservedParams ?? []);
  const removed = [...undeclared.filter(isDropped), ...reserved.map((member) => ({ member }))];
  if (removed.length === 0) return undefined;
  const concerns = concernsParams(removed);
  return (params) => {
    if (!concerns(params)) return params;
    const rest = withoutDropped(undeclared, params);
    if (!isObject(rest)) return rest;
    return Object.fromEntries(Object.entries(rest).filter(([name]) => !reserved.includes(name)));
  };
}

function sendable({ row, undeclared = [], steps = [] }: RouteParts): Step {
  const isTask = !undeclared.some((one) => isDropped(one) && one.member === "task");
  const validatorOf = resultValidator(row, (one) => validatorWithSteps(one, steps), isTask);
  return (result, context) => {
    const validator =
      typeof validatorOf === "object" ? validatorOf.only : validatorOf(result, context.params);
    if (validator === undefined || isValid(validator, result)) return result;
    throw invalidResult(row, context.params, issuesOf(validator, result));
  };
}

function resultReader(
  row: Method,
  revision: Revision | undefined,
  steps: readonly RouteSteps[],
): OutboundRoute["readResult"] {
  const validatorOf = resultValidator(row, (one) => validatorWithSteps(one, steps));
  const completions = steps.flatMap((one) => one.readResult ?? []);
  const raise = revision?.projection?.up(row, "result");
  const complete = inOrder(completions);
  return (received, params) => {
    const result = complete ? complete(received) : received;
    const validator =
      typeof validatorOf === "object" ? validatorOf.only : validatorOf(result, params);
    if (validator === undefined || isValid(validator, result))
      return raise ? raise(result) : result;
    for (const step of steps) {
      const reading = step.rescue?.(result, params);
      if (reading === undefined) continue;
      // Some checks, such as those for formats, only report problems. They also examine the result that was read.
      if (reading.revision === revision) validator?.(reading.result);
      const raiseOther = reading.revision.projection?.up(row, "result");
      return raiseOther ? raiseOther(reading.result) : reading.result;
    }
    throw invalidAnswer(row, issuesOf(validator, result));
  };
}

type ResultValidator =
  | { readonly only: Validator | undefined }
  | ((result: unknown, params: unknown) => Validator | undefined);

/**
 * Returns the validator for a method's results, or a function that selects one of several validators.
 *
 * @param strict - adds checks to a validator
 */
export function resultValidator(
  row: Method,
  strict: (validator: Validator) => Validator = (validator) => validator,
  mayBeTask = true,
): ResultValidator {
  const { result: usual, inputResult, inLieu } = row;
  const final = usual && strict(usual);
  const task = mayBeTask ? row.taskResult : undefined;
  if (!task && !inputResult && !inLieu) return { only: final };
  const strictTask = task && strict(task);
  const strictInput = inputResult && strict(inputResult);
  const others = new Map(
    Object.values(inLieu ?? {}).map((one) => [one.result, strict(one.result)] as const),
  );
  return (result, params) => {
    const { resultType } = (result ?? {}) as { readonly resultType?: unknown };
    if (strictInput && resultType === "input_required") return strictInput;
    const other = inLieu && inLieuOf(row, result);
    if (other) return others.get(other.result);
    const isTask = task && (params as { readonly task?: unknown } | undefined)?.task !== undefined;
    return isTask && task(result) ? strictTask : final;
  };
}

function validatorWithSteps(validator: Validator, steps: readonly RouteSteps[]): Validator {
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
