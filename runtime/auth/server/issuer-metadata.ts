const MOST = 256 * 1024;

const TIMEOUT = 5000;

/**
 * Fetches an authorization server's metadata, from the first location that has it (RFC 8414, section 3; OpenID
 * Connect Discovery). A response that is not a JSON object counts as missing, because some servers send a page for
 * every path.
 */
export async function authorizationServerMetadata(
  issuer: string,
): Promise<Readonly<Record<string, unknown>>> {
  let other: string | undefined;
  for (const url of metadataUrls(issuer)) {
    const response = await fetch(url, {
      headers: { Accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status >= 500)
        throw new Error(`${url} responded with status ${response.status}`);
      continue;
    }
    const metadata = objectIn(await textOf(response, url));
    if (metadata?.["issuer"] === issuer) return metadata;
    if (metadata !== undefined) other ??= url;
  }
  if (other === undefined) throw new Error(`${issuer} has no metadata at its well-known URLs`);
  throw new Error(`${other} serves the metadata of another issuer than ${issuer}`);
}

async function textOf({ body }: Response, url: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > MOST) throw new Error(`${url} responded with more than ${MOST} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname.replace(/\/$/, "");
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
  ];
  return path === "" ? urls : [...urls, `${origin}${path}/.well-known/openid-configuration`];
}

const PAUSE = 5000;

/**
 * Creates a function that runs work once for all callers. A failure is cached for five seconds, so that a flood of
 * tokens does not become a flood of requests to an authorization server that is down.
 *
 * @param lifetime - the number of milliseconds after which the work is repeated
 */
export function sharedWork<Value>(
  work: () => Promise<Value>,
  lifetime: number = Infinity,
): () => Promise<Value> {
  let current: Promise<Value> | undefined;
  let renewAt = 0;
  return () => {
    if (current !== undefined && Date.now() < renewAt) return current;
    renewAt = Date.now() + lifetime;
    current = work();
    current.catch(() => {
      renewAt = Date.now() + PAUSE;
    });
    return current;
  };
}

/** Creates a `fetch` that caches failures (network errors and failure statuses) for five seconds. */
export function pausingFetch(
  isFailure: (status: number) => boolean = (status) => status < 200 || status > 299,
): typeof fetch {
  let failure: Error | undefined;
  let retryAt = 0;
  const fail = (error: Error): never => {
    failure = error;
    retryAt = Date.now() + PAUSE;
    throw error;
  };
  return async (url, init) => {
    if (failure !== undefined && Date.now() < retryAt) throw failure;
    const response = await fetch(url, init).catch(fail);
    if (isFailure(response.status)) {
      await response.body?.cancel();
      return fail(new Error(`${String(url)} responded with status ${response.status}`));
    }
    failure = undefined;
    return response;
  };
}
