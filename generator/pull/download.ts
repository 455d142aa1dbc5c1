import type { Diagnostics } from "../diagnostics.js";
import { MAX_BYTES } from "../load/limits.js";
import { checkUrl } from "./check-url.js";

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface DownloadOptions {
  /** The timeout for the whole download, in milliseconds. */
  readonly timeout: number;
  readonly userAgent: string;
}

/**
 * Downloads a file over HTTPS, or over plain HTTP from a loopback address. Redirects must stay on the same origin. A
 * download that is too large or too slow is aborted.
 */
export async function download(
  address: string,
  { timeout, userAgent }: DownloadOptions,
  diagnostics: Diagnostics,
): Promise<Uint8Array | undefined> {
  const refuse = (code: string, message: string, hint: string): undefined => {
    diagnostics.add({ code, severity: "error", message, hint, file: address });
  };
  const signal = AbortSignal.timeout(timeout);
  // Each request uses its own connection, because a connection left open would keep the process alive.
  const headers = { accept: "text/plain, */*;q=0.5", "user-agent": userAgent, connection: "close" };
  let url: URL | undefined = checkUrl(address, undefined, diagnostics);
  try {
    for (let redirects = 0; url !== undefined; redirects++) {
      const response = await fetch(url, { redirect: "manual", signal, headers });
      const location = response.headers.get("location");
      if (!REDIRECTS.has(response.status) || location === null) {
        return await readResponse(response, refuse);
      }
      await response.body?.cancel();
      if (redirects === MAX_REDIRECTS) {
        return refuse(
          "MCG7003",
          `More than ${MAX_REDIRECTS} redirects.`,
          "Pass the final address with --from.",
        );
      }
      url = checkUrl(location, url, diagnostics);
    }
    return undefined;
  } catch (error) {
    if (signal.aborted) {
      return refuse(
        "MCG7001",
        `Not complete after ${timeout / 1000} s.`,
        "Try again, or allow more with --timeout.",
      );
    }
    return refuse("MCG7001", `The download failed: ${reasonOf(error)}.`, OFFLINE);
  }
}

const OFFLINE =
  "Check the address and the connection. Behind a proxy, download the file another way, and pass it with --schema.";

type Refuse = (code: string, message: string, hint: string) => undefined;

async function readResponse(response: Response, refuse: Refuse): Promise<Uint8Array | undefined> {
  if (response.status !== 200) {
    await response.body?.cancel();
    const hint =
      response.status === 404
        ? "Check the revision, or pass the address with --from."
        : "Try again later.";
    return refuse("MCG7002", `The server answered with status ${response.status}.`, hint);
  }
  const body = await readBody(response);
  return (
    body ??
    refuse("MCG7004", "The file is larger than 4 MiB.", "That is not a schema; check the address.")
  );
}

async function readBody({ headers, body }: Response): Promise<Uint8Array | undefined> {
  if (Number(headers.get("content-length") ?? 0) > MAX_BYTES) {
    await body?.cancel();
    return undefined;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the reason behind a generic error such as "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, message } = cause as NodeJS.ErrnoException;
  return message || code || String(cause);
}
