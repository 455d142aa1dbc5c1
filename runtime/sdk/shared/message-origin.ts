import type { Origin } from "@mcp-codegen/runtime";
import { authOf } from "./auth-conversion.js";
import type { MessageExtraInfo } from "./transport.js";

const origins = new WeakMap<MessageExtraInfo, Origin>();

/** Facts about a message in the SDK's shape; {@link originOf} finds the way back. */
export function extraOf(origin: Origin | undefined): MessageExtraInfo | undefined {
  if (origin === undefined) return undefined;
  const extra: MessageExtraInfo = {};
  origins.set(extra, origin);
  return extra;
}

/** Facts about a message in the shape of our runtime. */
export function originOf(extra: MessageExtraInfo | undefined): Origin | undefined {
  if (extra === undefined) return undefined;
  return origins.get(extra) ?? newOrigin(extra);
}

function newOrigin({ authInfo, request, requestInfo }: MessageExtraInfo): Origin {
  const header = request
    ? (name: string) => request.headers.get(name) ?? undefined
    : requestInfo && ((name: string) => textOf(requestInfo.headers[name]));
  return {
    ...(authInfo === undefined ? {} : { auth: authOf(authInfo) }),
    ...(header === undefined ? {} : { header }),
  };
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}
