import { summarize } from "../../engine/index.js";
import {
  CapabilityError,
  INTERNAL_ERROR,
  InvalidMessageError,
  type Revision,
  RpcError,
  type Trace,
  isObject,
  isWebUrl,
  namesCapability,
} from "../../wire/index.js";
import {
  type HandlerContext,
  OutcomeError,
  type RequestOptions,
  type Session,
  inputRequired,
} from "../../api/index.js";
import { errorResult } from "../tool-calls.js";
import {
  type ElicitationAnswer,
  type FormAnswer,
  OpenElicitations,
  type UrlElicitation,
  withoutContent,
} from "./elicitations.js";
import { formIssues, type FormSchema } from "./forms.js";

const METHOD = "elicitation/create";

/** Notification that the user has completed an elicitation on its web page. */
export const COMPLETE = "notifications/elicitation/complete";

/** URL elicitations that this process has started as a server. */
export const startedElicitations: OpenElicitations = /* @__PURE__ */ new OpenElicitations();

export function knowsCompletion({ methods }: Revision): boolean {
  return methods.has(COMPLETE);
}

/** Audience of a completion: the sessions in which the elicitation was started, each once. */
export function completionAudience(
  sessions: () => Iterable<Session>,
): Readonly<Record<string, (params: unknown) => Iterable<Session>>> {
  return {
    [COMPLETE]: function* (params) {
      const { elicitationId } = (params ?? {}) as { readonly elicitationId?: unknown };
      if (typeof elicitationId !== "string") return;
      for (const session of sessions())
        if (startedElicitations.delete(session, elicitationId)) yield session;
    },
  };
}

/**
 * Requests that the user fills in a form, while a message of the client is handled (MCP: elicitation). Never request
 * passwords, keys or payment data this way.
 *
 * @returns the user's reaction; with `accept`, the content, which fits the form and has its type if that is written out here
 * @throws TypeError if the revision does not have such a form
 * @throws InvalidMessageError if the answer does not fit the form
 * @throws CapabilityError if the client has no forms; and what every request throws
 */
export async function elicitForm<const Schema extends FormSchema>(
  context: HandlerContext,
  {
    message,
    requestedSchema,
    _meta,
  }: { readonly message: string; readonly requestedSchema: Schema } & Marked,
  options?: RequestOptions,
): Promise<FormAnswer<Schema>> {
  const answer = await send(context, marked({ message, requestedSchema }, _meta), options);
  if (answer.action !== "accept") return withoutContent(answer) as FormAnswer<Schema>;
  const { content = {} } = answer;
  const issues = formIssues(requestedSchema, content);
  if (issues.length > 0) {
    const text = `The answer to ${METHOD} does not fit the form: ${summarize(issues)}`;
    throw new InvalidMessageError(text, issues);
  }
  return { ...answer, content } as FormAnswer<Schema>;
}

/**
 * Requests to send the user to a web page, while a message of the client is handled. To accept only means that the user agreed
 * to go there. The page must make sure that its visitor is that user.
 *
 * @param request - the URL must not contain secrets, nor authenticate its visitor by itself
 * @returns the user's reaction, and the id for {@link completeElicitation}, by default a random one; undefined if the
 *   revision has no completions
 * @throws TypeError if the URL is not an http(s) URL
 * @throws CapabilityError if the revision or the client has no such mode; and what every request throws
 */
export async function elicitUrl(
  context: HandlerContext,
  request: Pick<UrlElicitation, "message" | "url" | "elicitationId"> & Marked,
  options?: RequestOptions,
): Promise<ElicitationAnswer & { readonly elicitationId?: string }> {
  const { revision } = context.session;
  if (!namesCapability(revision, "client.elicitation.url")) {
    const text = `${METHOD} was not sent: there are no URLs in elicitations of ${revision.id}`;
    throw new CapabilityError(text, "client.elicitation.url");
  }
  const { message } = request;
  const id = idFor(revision, request);
  if (id.elicitationId !== undefined) startedElicitations.add(context.session, id.elicitationId);
  const { _meta: meta } = request;
  const params = marked({ mode: "url", message, url: webUrl(request.url), ...id }, meta);
  const answer = withoutContent(await send(context, params, options));
  return { ...answer, ...id };
}

/**
 * Notifies the client that the user has completed an elicitation on its web page. Does nothing if the revision has no
 * completions.
 */
export async function completeElicitation(session: Session, elicitationId: string): Promise<void> {
  if (!knowsCompletion(session.revision)) return;
  startedElicitations.delete(session, elicitationId);
  await session.notify(COMPLETE, { elicitationId });
}

/** The id of an elicitation, by default a random one, if the revision has ids. */
function idFor(
  revision: Revision,
  { elicitationId = crypto.randomUUID() }: { readonly elicitationId?: string },
): { elicitationId?: string } {
  return knowsCompletion(revision) ? { elicitationId } : {};
}

/** Metadata of a request. */
interface Marked {
  /** `_meta` of the request, if the revision has it. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

function marked<Params extends object>(params: Params, meta: Marked["_meta"]): Params & Marked {
  return meta === undefined ? params : { ...params, _meta: meta };
}

async function send(
  context: HandlerContext,
  given: object & Marked,
  options: RequestOptions | undefined,
): Promise<ElicitationAnswer> {
  const params = withKnownMeta(context.session.revision, METHOD, given);
  assertValid(context.session.revision, params);
  const request = context.request as (...call: unknown[]) => Promise<unknown>;
  return (await request(METHOD, params, options)) as ElicitationAnswer;
}

/** Validates the parameters in the form that the revision sends. */
function assertValid({ methods, projection }: Revision, params: object): void {
  const row = methods.get(METHOD);
  if (row?.params === undefined) return;
  const sent = projection?.down(row, "params")?.(params) ?? params;
  const trace: Trace = [];
  if (!row.params(sent, trace)) {
    throw new TypeError(`${METHOD} was not sent: ${summarize(trace)}`);
  }
}

/** @throws TypeError if the URL is not an `http:` or `https:` URL */
export function webUrl(text: string): string {
  if (isWebUrl(text)) return text;
  throw new TypeError("The URL of an elicitation is an http: or https: one");
}

/**
 * Parameters of a request to the client, without `_meta` if the revision has none there: all requests on the wire have it,
 * of those inside results only some.
 */
export function withKnownMeta<Params extends object>(
  { methods }: Revision,
  method: string,
  params: Params,
): Params | Omit<Params, "_meta"> {
  const row = methods.get(method);
  if (!("_meta" in params) || row?.channel === "wire") return params;
  const trace: Trace = [];
  row?.params?.({ ...params, _meta: 0 }, trace);
  if (trace.some(({ path }) => path === "/_meta")) return params;
  const { _meta, ...others } = params;
  return others;
}

const URL_ELICITATION_REQUIRED = -32042;
const CAPABILITIES = { elicitation: { url: {} } };

/**
 * Thrown by a handler that cannot continue before the user has visited a web page (MCP: elicitation, URL mode). The client
 * receives the URL, and repeats its request later. If the revision embeds requests in results, the URL is such a request: the
 * call fails if the user declines, and is otherwise repeated until the handler no longer throws. If the revision has
 * neither, or the client opens no pages, it only receives the message; in a tool, as a result for the model.
 */
export class UrlElicitationRequiredError extends OutcomeError {
  override readonly name: string = "UrlElicitationRequiredError";
  /** Elicitations with ids, which are not sent at revisions without completions. */
  readonly elicitations: readonly (UrlElicitation & { readonly elicitationId: string })[];

  /**
   * @param requests - at least one; ids are random by default
   * @throws TypeError without any request, and if a URL is not an http(s) URL
   */
  constructor(
    requests: readonly Pick<UrlElicitation, "message" | "url" | "elicitationId">[],
    message = "The user has to visit a web page first",
  ) {
    if (requests.length === 0) throw new TypeError("At least one elicitation is needed");
    const elicitations = requests.map((request) => ({
      mode: "url" as const,
      message: request.message,
      url: webUrl(request.url),
      elicitationId: request.elicitationId ?? crypto.randomUUID(),
    }));
    super(URL_ELICITATION_REQUIRED, message, { elicitations });
    this.elicitations = elicitations;
  }

  override outcomeFor(context: HandlerContext): unknown {
    const { revision, peer } = context.session;
    const { errorCodes, traits } = revision;
    const { elicitation } = peer.capabilities;
    const opensPages = isObject(elicitation) && isObject(elicitation["url"]);
    const mayOpenPages = opensPages || peer.info === undefined;
    if (mayOpenPages && errorCodes["URL_ELICITATION_REQUIRED"] !== undefined) {
      for (const { elicitationId } of this.elicitations)
        startedElicitations.add(context.session, elicitationId);
      return this;
    }
    if (traits.serverRequests !== "embedded") return this.#refusal(context);
    if (opensPages) return this.#requests(context);
    const code = errorCodes["MISSING_REQUIRED_CLIENT_CAPABILITY"] ?? INTERNAL_ERROR;
    return new RpcError(code, this.message, { requiredCapabilities: CAPABILITIES });
  }

  /** Requests for the pages that the user has not answered yet; without any, the call is repeated a little later. */
  #requests(context: HandlerContext): unknown {
    const { answers, session } = context;
    const known = knowsCompletion(session.revision);
    const requests: Record<string, { method: string; params: object }> = {};
    for (const { elicitationId, ...page } of this.elicitations) {
      const name = `visit ${page.url}`;
      const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
      if (answer === undefined)
        requests[name] = { method: METHOD, params: known ? { ...page, elicitationId } : page };
      else if (!isObject(answer) || answer["action"] !== "accept") return this.#refusal(context);
    }
    return inputRequired({ requests, state: context.state ?? true });
  }

  #refusal({ method }: HandlerContext): unknown {
    return method === "tools/call"
      ? errorResult(this.message)
      : new RpcError(INTERNAL_ERROR, this.message);
  }
}

/**
 * URL elicitations that a request was refused for; empty for any other error.
 * @param error - with which a client's request rejected
 */
export function urlElicitationsOf(error: unknown): readonly UrlElicitation[] {
  if (!(error instanceof RpcError) || error.code !== URL_ELICITATION_REQUIRED) return [];
  const { data } = error;
  const list: unknown = isObject(data) ? data["elicitations"] : undefined;
  return Array.isArray(list) ? list.filter(isUrlElicitation) : [];
}

function isUrlElicitation(value: unknown): value is UrlElicitation {
  return (
    isObject(value) &&
    value["mode"] === "url" &&
    typeof value["message"] === "string" &&
    typeof value["elicitationId"] === "string" &&
    typeof value["url"] === "string" &&
    isWebUrl(value["url"])
  );
}
