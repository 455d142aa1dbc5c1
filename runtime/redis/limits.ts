import {
  type AnyCall,
  type AnyMiddleware,
  type RateLimit,
  type RateLimits,
  RpcError,
} from "@mcp-codegen/runtime";
import type { RateLimiterRedis } from "rate-limiter-flexible";
import { type Engine, Script } from "./engine.js";

const INTERNAL_ERROR = -32603;
/** The time, in milliseconds, for which requests pass uncounted after Redis has failed. */
const REST = 1000;

/**
 * Creates middleware that counts each sender's requests across all instances. While Redis is unreachable, requests
 * pass.
 */
export function limiting(engine: Engine, limits: RateLimits): AnyMiddleware {
  const counters = new Map<string, Promise<RateLimiterRedis>>();
  let restsUntil = 0;

  function counterOf(method: string, limit: RateLimit): Promise<RateLimiterRedis> {
    let counter = counters.get(method);
    if (counter === undefined) counters.set(method, (counter = newCounter(engine, limit)));
    return counter;
  }

  async function admits({ method, context }: AnyCall): Promise<boolean> {
    const limit = Object.hasOwn(limits, method) ? limits[method] : undefined;
    const principal = context.auth?.principal;
    if (limit === undefined || (principal === undefined && !limit.anonymous)) return true;
    if (performance.now() < restsUntil) return true;
    // This is the id of an existing session rather than the header, because with invented ids each request would count
    // as another sender.
    const sender = principal === undefined ? `s:${context.session.id ?? ""}` : `p:${principal}`;
    const limiter = await counterOf(method, limit);
    try {
      await limiter.consume(engine.key(sender, `q:${method}`));
      return true;
    } catch (problem) {
      // The library rejects with a plain object if the limit is reached.
      if (!(problem instanceof Error)) return false;
      restsUntil = performance.now() + REST;
      return true;
    }
  }

  return async (call, next) => {
    if (call.kind !== "request" || (await admits(call))) return next();
    const rate = limits[call.method]!.perSecond;
    const message = `Busy: more than ${rate} requests of this method per second, try again later (limits)`;
    throw new RpcError(INTERNAL_ERROR, message);
  };
}

async function newCounter(engine: Engine, limit: RateLimit): Promise<RateLimiterRedis> {
  const { RateLimiterRedis: Limiter } = await import("rate-limiter-flexible");
  const { perSecond, burst = 10 * perSecond } = limit;
  // The library counts in windows of whole seconds.
  const duration = Math.max(1, Math.ceil(burst / perSecond));
  const points = Math.max(1, Math.floor(perSecond * duration));
  const storeClient = { eval: evaluator(engine) };
  return new Limiter({ storeClient, useRedisPackage: true, keyPrefix: "", points, duration });
}

interface Evaluation {
  readonly keys: readonly string[];
  readonly arguments: readonly string[];
}

/** Returns the `eval` that the limiter calls, with this package's timeout and error reports. */
function evaluator(engine: Engine): (text: string, call: Evaluation) => Promise<unknown> {
  const scripts = new Map<string, Script>();
  return (text, { keys, arguments: args }) => {
    let script = scripts.get(text);
    if (script === undefined) scripts.set(text, (script = new Script(text)));
    return engine.run(script, keys, args);
  };
}

/** The time, in milliseconds, for which a redeemed id is kept beyond its expiry, because clocks differ. */
const MARGIN = 60_000;

/**
 * Creates the function that accepts each single-use id once across all instances. Redis receives the remaining
 * lifetime, so that its clock does not matter.
 */
export function redeemer(engine: Engine): (id: string, expires: number) => Promise<boolean> {
  return async (id, expires) => {
    const left = Math.max(0, Math.ceil(expires - Date.now())) + MARGIN;
    const reply = await engine.command("SET", engine.key(id, "r"), "1", "NX", "PX", left);
    return reply !== null;
  };
}
