import { HttpClientTransport } from "@mcp-codegen/runtime/http/client";
import { type FetchLike, NativeTransport } from "../shared/index.js";

/** Schedule for reopening a stream that was interrupted. Times are in milliseconds. */
export interface StreamableHTTPReconnectionOptions {
  initialReconnectionDelay: number;
  maxReconnectionDelay: number;
  reconnectionDelayGrowFactor: number;
  maxRetries: number;
}

/** Options of Streamable HTTP. */
export interface StreamableHTTPClientTransportOptions {
  /** Headers, among others, of all requests. */
  requestInit?: RequestInit | undefined;
  fetch?: FetchLike | undefined;
  reconnectionOptions?: StreamableHTTPReconnectionOptions | undefined;
}

/** Options of HTTP+SSE. */
export type SSEClientTransportOptions = Pick<
  StreamableHTTPClientTransportOptions,
  "requestInit" | "fetch"
> & {
  /** Taken and without effect: the stream is opened with `fetch`, as all requests are. */
  eventSourceInit?: unknown;
};

type NativeOptions = NonNullable<ConstructorParameters<typeof HttpClientTransport>[1]>;

/** Connects over Streamable HTTP, for sessions and stateless conversations. */
export class StreamableHTTPClientTransport extends NativeTransport {
  constructor(url: URL, options: StreamableHTTPClientTransportOptions = {}) {
    const { reconnectionOptions: again } = options;
    const reconnect = again && {
      initialDelay: again.initialReconnectionDelay,
      maxDelay: again.maxReconnectionDelay,
      factor: again.reconnectionDelayGrowFactor,
      retries: again.maxRetries,
    };
    super(
      new HttpClientTransport(url, {
        ...nativeOptions(options),
        sse: "never",
        endSession: false,
        ...(reconnect ? { reconnect } : {}),
      }),
    );
  }
}

/** Connects over HTTP+SSE, the transport of 2024-11-05. */
export class SSEClientTransport extends NativeTransport {
  constructor(url: URL, options: SSEClientTransportOptions = {}) {
    super(new HttpClientTransport(url, { ...nativeOptions(options), sse: "only" }));
  }
}

/** Options of ours: what `requestInit` has beside headers is part of each request. */
function nativeOptions({
  requestInit,
  fetch: given,
}: StreamableHTTPClientTransportOptions): NativeOptions {
  const { headers, ...init } = requestInit ?? {};
  const own = given ?? fetch;
  const hasInit = Object.keys(init).length > 0;
  return {
    ...(headers ? { headers: new Headers(headers) } : {}),
    ...(given || hasInit
      ? { fetch: (url: URL, asked: RequestInit) => own(url, { ...init, ...asked }) }
      : {}),
  };
}
