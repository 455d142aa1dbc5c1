import type { LogLevel } from "../../features/log-levels.js";
import { META } from "../../lifecycle/meta-keys.js";
import { metaOf } from "../../lifecycle/stands-alone.js";
import type { AnySendMiddleware } from "../../send-middleware.js";

/** Puts into each request which log messages are wanted, under revisions where requests say that (MCP: logging). */
export function askForLog(levelOf: () => LogLevel | undefined): AnySendMiddleware {
  return ({ kind, params, session }, send) => {
    const level = levelOf();
    const { requestMeta } = session.revision.traits;
    if (kind !== "request" || requestMeta !== "required" || level === undefined) return send();
    const meta = { [META.logLevel]: level, ...metaOf(params) };
    return send({ params: { ...(params as object | undefined), _meta: meta } });
  };
}
