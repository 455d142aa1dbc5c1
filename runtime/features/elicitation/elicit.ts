import { summarize } from "../../engine/index.js";
import {
  CapabilityError,
  InvalidMessageError,
  type Revision,
  type Trace,
  namesCapability,
} from "../../wire/index.js";
import type { HandlerContext, RequestOptions, Session } from "../../api/index.js";
import { formIssues } from "./check-form.js";
import type { ElicitationAnswer, FormAnswer, UrlElicitation } from "./elicitation-types.js";
import type { FormSchema } from "./form-schema.js";
import { withKnownMeta } from "./known-meta.js";
import { COMPLETE, knowsCompletion, startedElicitations } from "./started-elicitations.js";
import { withoutContent } from "./without-content.js";
import { webUrl } from "./web-url.js";

const METHOD = "elicitation/create";

/**
 * Asks the user to fill in a form, while a message of the client is handled (MCP: elicitation). Never ask for
 * passwords, keys or payment data this way.
 *
 * @returns what the user did; with `accept`, the content, which fits the form and has its type if that is written out
 *   here
 * @throws TypeError when the form is none that the revision has
 * @throws InvalidMessageError when what comes back does not fit the form
 * @throws CapabilityError when the client has no forms; and what every request throws
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
  const answer = await ask(context, marked({ message, requestedSchema }, _meta), options);
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
 * Asks to send the user to a web page, while a message of the client is handled. That they accept says no more than
 * that they agreed to go there. The page has to make sure that it is visited by the user who was asked.
 *
 * @param request - the URL has no secrets in it, and lets nobody in by itself
 * @returns what the user did, and the id for {@link completeElicitation}, a random one unless given; none where the
 *   revision has no such thing
 * @throws TypeError for a URL that is not of the web
 * @throws CapabilityError when the revision or the client has no such mode; and what every request throws
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
  const answer = withoutContent(await ask(context, params, options));
  return { ...answer, ...id };
}

/**
 * Tells the client that started an elicitation that what the user went to a page for is done. Does nothing where the
 * revision does not have that.
 */
export async function completeElicitation(session: Session, elicitationId: string): Promise<void> {
  if (!knowsCompletion(session.revision)) return;
  startedElicitations.delete(session, elicitationId);
  await session.notify(COMPLETE, { elicitationId });
}

/** The id of an elicitation, made up if there is none yet, where the revision has them. */
function idFor(
  revision: Revision,
  { elicitationId = crypto.randomUUID() }: { readonly elicitationId?: string },
): { elicitationId?: string } {
  return knowsCompletion(revision) ? { elicitationId } : {};
}

/** Members of a question that say something about it. */
interface Marked {
  /** `_meta` of the request, where the revision has it. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

function marked<Params extends object>(params: Params, meta: Marked["_meta"]): Params & Marked {
  return meta === undefined ? params : { ...params, _meta: meta };
}

async function ask(
  context: HandlerContext,
  given: object & Marked,
  options: RequestOptions | undefined,
): Promise<ElicitationAnswer> {
  const params = withKnownMeta(context.session.revision, METHOD, given);
  assertValid(context.session.revision, params);
  const send = context.request as (...call: unknown[]) => Promise<unknown>;
  return (await send(METHOD, params, options)) as ElicitationAnswer;
}

/** Validates the parameters in the form that the revision sends. */
function assertValid({ methods, projection }: Revision, params: object): void {
  const row = methods.get(METHOD);
  if (row?.params === undefined) return;
  const sent = projection ? projection.down(row, "params", params, undefined) : params;
  const trace: Trace = [];
  if (!row.params(sent, trace)) {
    throw new TypeError(`${METHOD} was not sent: ${summarize(trace)}`);
  }
}
