import { isJsonContentType } from "../../shared/index.js";

/** The code that the SDK uses for requests that violate an HTTP transport rule. The runtime uses -32600. */
const SERVER_ERROR = -32000;
const NO_SESSION = -32001;

/** Maps statuses to rejection messages, which programs compare. */
const TEXTS: Readonly<Record<number, string>> = {
  404: "Session not found",
  405: "Method not allowed.",
  415: "Unsupported Media Type: Content-Type must be application/json",
};
const NOT_ACCEPTABLE = "Not Acceptable: Client must accept ";
const NO_SESSION_ID = "Bad Request: Mcp-Session-Id header is required";

interface RefusedBody {
  readonly error?: { readonly code: number; readonly message: string };
}

/**
 * Converts a rejection to the SDK's error code, and to the SDK's message in the cases where programs compare messages.
 */
export async function sdkRefusal(
  request: Request,
  response: Response,
  report?: (error: Error) => void,
): Promise<Response> {
  const { status, headers } = response;
  if (!isJsonContentType(headers.get("content-type"))) return response;
  const body = refused((await response.json()) as RefusedBody, request.method, status);
  if (body.error) report?.(new Error(body.error.message));
  const own = new Headers(headers);
  own.delete("content-length");
  const allowed = headers.get("allow");
  if (allowed !== null) own.set("allow", allowed.replace(/, OPTIONS$/, ""));
  return Response.json(body, { status, headers: own });
}

function refused(body: RefusedBody, method: string, status: number): RefusedBody {
  if (body.error?.code !== -32600) return body;
  const message = textFor(status, method, body.error.message);
  return {
    ...body,
    error: { ...body.error, code: status === 404 ? NO_SESSION : SERVER_ERROR, message },
  };
}

function textFor(status: number, method: string, message: string): string {
  if (status === 406)
    return `${NOT_ACCEPTABLE}${method === "GET" ? "" : "both application/json and "}text/event-stream`;
  if (status === 400 && message.startsWith("Mcp-Session-Id is missing")) return NO_SESSION_ID;
  return TEXTS[status] ?? message;
}
