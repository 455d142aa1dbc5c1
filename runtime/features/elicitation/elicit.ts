import { summarize } from "../../engine/index.js";
import {
  CapabilityError,
  InvalidMessageError,
  type Revision,
  type Trace,
  namesCapability,
} from "../../wire/index.js";
import { hasMember } from "../../wire/members/index.js";
import type { HandlerContext, RequestOptions, Session } from "../../api/index.js";
import {
  type ElicitationAnswer,
  type FormAnswer,
  type UrlElicitation,
  withoutContent,
} from "./elicitations.js";
import { formIssues, type FormSchema } from "./forms.js";
import { COMPLETE, knowsCompletion, startedElicitations, webUrl } from "./open-elicitations.js";

const METHOD = "elicitation/create";

/**
 * Requests that the user fill in a form while a message from the client is being handled (MCP: elicitation). Never use
 * it for passwords, keys or payment data.
 *
 * @returns the user's reaction. With `accept`, it has content that matches the form; the content is typed if the form
 *   is a literal
 * @throws TypeError if the revision does not have such a form
 * @throws InvalidMessageError if the answer does not match the form
 * @throws CapabilityError if the client does not support forms
 * @throws the errors that every request can throw
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
    const text = `The response to ${METHOD} does not match the form: ${summarize(issues)}`;
    throw new InvalidMessageError(text, issues);
  }
  return { ...answer, content } as FormAnswer<Schema>;
}

/**
 * Requests that the client open a web page for the user while a message from the client is being handled. `accept` only
 * means that the user agreed to open it. The page itself must make sure that its visitor is that user.
 *
 * @param request - the URL must neither contain secrets nor authenticate its visitor by itself
 * @returns the user's reaction, and the id for {@link completeElicitation}, which is random by default; the id is
 *   undefined if the revision does not have that notification
 * @throws TypeError if the URL is not an http(s) URL
 * @throws CapabilityError if the revision or the client does not support this
 * @throws the errors that every request can throw
 */
export async function elicitUrl(
  context: HandlerContext,
  request: Pick<UrlElicitation, "message" | "url" | "elicitationId"> & Marked,
  options?: RequestOptions,
): Promise<ElicitationAnswer & { readonly elicitationId?: string }> {
  const { revision } = context.session;
  if (!namesCapability(revision, "client.elicitation.url")) {
    const text = `${METHOD} was not sent: ${revision.id} has no elicitation by URL`;
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
 * Notifies the client that the user has completed a URL-mode elicitation. Does nothing if the revision does not
 * have that notification.
 */
export async function completeElicitation(session: Session, elicitationId: string): Promise<void> {
  if (!knowsCompletion(session.revision)) return;
  startedElicitations.delete(session, elicitationId);
  await session.notify(COMPLETE, { elicitationId });
}

function idFor(
  revision: Revision,
  { elicitationId = crypto.randomUUID() }: { readonly elicitationId?: string },
): { elicitationId?: string } {
  return knowsCompletion(revision) ? { elicitationId } : {};
}

interface Marked {
  /** The request's `_meta`; omitted in revisions that do not have it. */
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
  const { revision } = context.session;
  const params = valid(revision, withKnownMeta(revision, METHOD, given));
  const request = context.request as (...call: unknown[]) => Promise<unknown>;
  return (await request(METHOD, params, options)) as ElicitationAnswer;
}

/**
 * Returns valid parameters. A form's mode is included only if the revision requires one.
 *
 * @throws TypeError if the revision cannot express the parameters
 */
function valid(revision: Revision, params: object): object {
  const row = revision.methods.get(METHOD);
  if (row?.params === undefined) return params;
  const sent = revision.projection?.down(row, "params")?.(params) ?? params;
  const trace: Trace = [];
  if (row.params(sent, trace)) return params;
  const lacksMode = !("mode" in params) && trace.every(({ path }) => path === "/mode");
  if (lacksMode) return valid(revision, { mode: "form", ...params });
  throw new TypeError(`${METHOD} was not sent: ${summarize(trace)}`);
}

/**
 * Removes `_meta` from the parameters if the revision does not have it there. All requests sent as messages have
 * `_meta`, but only some of those inside results do.
 */
export function withKnownMeta<Params extends object>(
  { methods }: Revision,
  method: string,
  params: Params,
): Params | Omit<Params, "_meta"> {
  const row = methods.get(method);
  if (!("_meta" in params) || row?.channel === "wire") return params;
  if (row?.params && hasMember(row.params, "_meta")) return params;
  const { _meta, ...others } = params;
  return others;
}
