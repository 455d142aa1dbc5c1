import {
  type Context,
  propagation,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
} from "@opentelemetry/api";
import { TRACE_MEMBERS, hasTraceContext, isObject } from "../wire/index.js";

/** Writer and reader of trace contexts. */
export type Propagator = Pick<TextMapPropagator, "inject" | "extract">;

/** Writes fields that belong on the wire, in the formats of W3C, and skips all others. */
const setter: TextMapSetter<Record<string, string>> = {
  set: (carrier, member, value) => {
    if (TRACE_MEMBERS.has(member) && hasTraceContext({ [member]: value })) carrier[member] = value;
  },
};

const getter: TextMapGetter<Readonly<Record<string, unknown>>> = {
  keys: (carrier) => Object.keys(carrier).filter((member) => TRACE_MEMBERS.has(member)),
  get: (carrier, member) => {
    const value =
      TRACE_MEMBERS.has(member) && Object.hasOwn(carrier, member) ? carrier[member] : "";
    return typeof value === "string" && value !== "" ? value : undefined;
  },
};

/** The propagator that the application has set up for all that it traces. */
export const registered: Propagator = {
  inject: (...args) => propagation.inject(...args),
  extract: (...args) => propagation.extract(...args),
};

/** Parameters with the context in their `_meta`; the same ones when there is nothing to say. */
export function withContext(params: unknown, context: Context, { inject }: Propagator): unknown {
  const carrier: Record<string, string> = {};
  inject(context, carrier, setter);
  if (Object.keys(carrier).length === 0) return params;
  const { _meta, ...rest } = isObject(params) ? params : {};
  return { ...rest, _meta: { ...(isObject(_meta) && _meta), ...carrier } };
}

/** The context that a message was sent in, where it says so. */
export function contextIn(
  meta: Readonly<Record<string, unknown>> | undefined,
  ambient: Context,
  { extract }: Propagator,
): Context {
  return meta === undefined ? ambient : extract(ambient, meta, getter);
}
