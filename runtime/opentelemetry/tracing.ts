import {
  type Context,
  context,
  type Link,
  propagation as registeredPropagation,
  type Span,
  SpanKind,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
  trace,
  type Tracer,
  type TracerProvider,
} from "@opentelemetry/api";
import { hasTraceContext, isObject, TRACE_MEMBERS } from "../wire/index.js";
import type {
  AnyCall,
  AnyMiddleware,
  AnySendMiddleware,
  Feature,
  Next,
  Send,
  Sending,
} from "../api/index.js";
import { describe, recordFailure, recordResult } from "./attributes.js";
import { SCOPE } from "./meter.js";
import { type RecordEnd, untilDone } from "./until-done.js";

/** Writes and reads trace contexts. */
export type Propagator = Pick<TextMapPropagator, "inject" | "extract">;

export interface TracingOptions {
  /** The provider of spans. Default: the one that the application has registered. */
  readonly tracerProvider?: TracerProvider | undefined;
  /**
   * Writes a trace's context into messages and reads it from them; `false` disables both. Only W3C Trace Context and
   * W3C Baggage fields are sent. Default: the propagator that the application has registered.
   */
  readonly propagation?: Propagator | false | undefined;
  /**
   * True to record the session id (`mcp.session.id`) in spans. Anyone who reads it may be able to
   * join the session. Default: false.
   */
  readonly sessionIds?: boolean | undefined;
}

/** A feature that traces messages in both directions. Pass it in the `features` option. */
export interface Tracing extends Feature {
  readonly middleware: readonly AnyMiddleware[];
  readonly sending: readonly AnySendMiddleware[];
}

const none: Propagator = { inject: () => {}, extract: (given) => given };

/**
 * Creates spans for sent and handled messages, and propagates their trace context in messages (OpenTelemetry: semantic
 * conventions for MCP). While a handler runs, its span is the active one.
 */
export function tracing({
  tracerProvider,
  propagation,
  sessionIds = false,
}: TracingOptions = {}): Tracing {
  const propagator = propagation === false ? none : (propagation ?? registered);
  const tracer = (tracerProvider ?? trace).getTracer(SCOPE);
  const means: TracingTools = { tracer, propagator, sessionIds };
  return {
    handlers: {},
    middleware: [(call, next) => handleTraced(means, call, next)],
    sending: [(message, send) => sendTraced(means, message, send)],
  };
}

interface TracingTools {
  readonly tracer: Tracer;
  readonly propagator: Propagator;
  readonly sessionIds: boolean;
}

async function sendTraced(
  { tracer, propagator, sessionIds }: TracingTools,
  message: Sending,
  send: Send,
): Promise<unknown> {
  const { name, attributes } = describe(message, sessionIds);
  const ambient = context.active();
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, ambient);
  const during = trace.setSpan(ambient, span);
  const params = withContext(message.params, during, propagator);
  const within = (): Promise<unknown> =>
    context.with(during, () => send(params === message.params ? undefined : { params }));
  return untilDone(within, ending(span));
}

async function handleTraced(
  { tracer, propagator, sessionIds }: TracingTools,
  { method, params, context: handling }: AnyCall,
  next: Next,
): Promise<unknown> {
  const { session, id, meta } = handling;
  const { name, attributes } = describe({ method, params, session, id }, sessionIds);
  const ambient = context.active();
  const from = contextIn(meta, ambient, propagator);
  const links = linksTo(trace.getSpan(ambient), trace.getSpan(from));
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, links }, from);
  const within = (): Promise<unknown> => context.with(trace.setSpan(from, span), () => next());
  return untilDone(within, ending(span), span.isRecording() ? handling.signal : undefined);
}

/** Creates a link to the request that carried a message, if the message belongs to another trace. */
function linksTo(ambient: Span | undefined, parent: Span | undefined): Link[] {
  if (ambient === undefined || ambient === parent) return [];
  return [{ context: ambient.spanContext() }];
}

function ending(span: Span): RecordEnd {
  return (result, thrown) => {
    if (!span.isRecording()) return;
    if (thrown !== undefined) recordFailure(span, thrown);
    else recordResult(span, result);
    span.end();
  };
}

/** Skips all fields except those of the W3C formats, which belong in messages. */
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

const registered: Propagator = {
  inject: (...args) => registeredPropagation.inject(...args),
  extract: (...args) => registeredPropagation.extract(...args),
};

function withContext(params: unknown, during: Context, { inject }: Propagator): unknown {
  const carrier: Record<string, string> = {};
  inject(during, carrier, setter);
  if (Object.keys(carrier).length === 0) return params;
  const { _meta, ...rest } = isObject(params) ? params : {};
  return { ...rest, _meta: { ...(isObject(_meta) && _meta), ...carrier } };
}

function contextIn(
  meta: Readonly<Record<string, unknown>> | undefined,
  ambient: Context,
  { extract }: Propagator,
): Context {
  return meta === undefined ? ambient : extract(ambient, meta, getter);
}
