import { META, type Session } from "@mcp-codegen/runtime";
import type { AskingContext } from "@mcp-codegen/universal/server";
import { ABILITIES } from "./protocol.js";

/** Client capabilities by name, such as `sampling`. */
export type Abilities = Readonly<Record<string, unknown>>;

/** A sender of requests that has its own conversations with upstream servers. */
export interface Caller {
  /** Identifies the caller by its session, its principal, or its connection. */
  readonly key: object | string;
  /** The session whose end also ends the caller's conversations; undefined for stateless requests. */
  readonly session: Session | undefined;
}

export type Sender = Pick<AskingContext, "auth" | "session"> & {
  readonly client: { readonly capabilities: unknown };
};

export function isStateless({ revision }: Session): boolean {
  return revision.traits.lifecycle !== "initialize";
}

/**
 * Returns a request's caller. Returns undefined for a stateless request over HTTP without authentication, because its
 * sender is unknown.
 */
export function callerOf({ auth, session }: Sender): Caller | undefined {
  if (!isStateless(session)) return { key: session, session };
  const key = auth === undefined ? session.connection : `principal ${auth.principal}`;
  return key === undefined ? undefined : { key, session: undefined };
}

export function abilitiesOf({ client }: Sender): Abilities {
  const declared = client.capabilities as Abilities;
  const own = [...ABILITIES, "experimental", "extensions"].flatMap((family) => {
    const value = Object.hasOwn(declared, family) ? declared[family] : undefined;
    return value === undefined || value === null ? [] : [[family, value] as const];
  });
  return Object.fromEntries(own);
}

export function canAnswer(abilities: Abilities): boolean {
  return ABILITIES.some((one) => Object.hasOwn(abilities, one));
}

export function covers(more: unknown, less: unknown): boolean {
  if (!isRecord(less)) return more === less || isRecord(more);
  return (
    isRecord(more) &&
    Object.entries(less).every(
      ([name, value]) => Object.hasOwn(more, name) && covers(more[name], value),
    )
  );
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const OF_ONE_CONVERSATION: ReadonlySet<string> = new Set([...Object.values(META), "progressToken"]);

export function carriedMeta(meta: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(meta)) return undefined;
  const entries = Object.entries(meta).filter(([name]) => !OF_ONE_CONVERSATION.has(name));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Returns an upstream server's result without the members that the engine adds to each result. */
export function carriedResult(result: unknown): Record<string, unknown> {
  const whole = result as Record<string, unknown>;
  if (whole["_meta"] === undefined && whole["resultType"] === undefined) return whole;
  const { _meta, resultType, ...members } = whole;
  const meta = carriedMeta(_meta);
  return {
    ...members,
    ...(resultType !== undefined && resultType !== "complete" && { resultType }),
    ...(meta !== undefined && { _meta: meta }),
  };
}

/** The longest timer delay, in milliseconds. A timer with a longer delay fires immediately. */
export const LONGEST_DELAY: number = 2 ** 31 - 1;

export function unref<Timer>(timer: Timer): Timer {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}
