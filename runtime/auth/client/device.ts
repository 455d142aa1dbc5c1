import {
  allowInsecureRequests,
  customFetch,
  deviceAuthorizationRequest,
  None,
  processDeviceAuthorizationResponse,
} from "oauth4webapi";
import type { Authorize, Flow, RegisteredClient, TokenResponse } from "./authorize.js";
import { isObject, OAuthError } from "./errors.js";
import { assertSeconds } from "./token-endpoint.js";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** The default polling interval, in seconds (RFC 8628, section 3.5). */
const INTERVAL = 5;
/** The shortest polling interval, in seconds, even if the server specifies a shorter one. */
const SHORTEST_INTERVAL = 1;
/** The longest polling interval, in seconds, even if the server specifies a longer one. */
const LONGEST_INTERVAL = 60;

/** The maximum length of a code that is shown to the user, in characters. */
const LONGEST_CODE = 100;

/** Instructions for the user of a device. */
export interface DevicePrompt {
  /** The code that the user enters on the page, without control characters. */
  readonly userCode: string;
  /** The page to open on any device. */
  readonly url: URL;
  /** The same page with the code in its URL, if the server provides one. */
  readonly completeUrl: URL | undefined;
  /** The number of seconds until the code expires. */
  readonly expiresIn: number;
}

export interface DeviceOptions {
  /** Shows the page and the code to the user. */
  readonly show: (prompt: DevicePrompt) => void | Promise<void>;
}

/** Lets the user log in with a browser on any device (RFC 8628); for terminals without a browser. */
export function device({ show }: DeviceOptions): Authorize {
  return {
    hasUser: true,
    tokens: async (flow) => {
      const client = await flow.client({ grantTypes: [GRANT, "refresh_token"] });
      const { prompt, code, interval } = await begin(flow, client);
      await show(prompt);
      return poll(flow, client, code, interval);
    },
  };
}

async function begin(flow: Flow, client: RegisteredClient) {
  await flow.check(flow.metadata.device_authorization_endpoint, "device authorization endpoint");
  const party = { client_id: client.client_id };
  const options = { [customFetch]: flow.fetch, [allowInsecureRequests]: true };
  try {
    const response = await deviceAuthorizationRequest(
      flow.metadata,
      party,
      None(),
      new URLSearchParams(flow.parameters),
      options,
    );
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    if (isObject(body)) assertSeconds(body["expires_in"], "device authorization");
    const answer = await processDeviceAuthorizationResponse(flow.metadata, party, response);
    const { verification_uri, verification_uri_complete, user_code, expires_in } = answer;
    const url = await flow.check(verification_uri, "verification page");
    const completeUrl =
      verification_uri_complete === undefined
        ? undefined
        : await flow.check(verification_uri_complete, "verification page");
    const prompt = { userCode: printable(user_code), url, completeUrl, expiresIn: expires_in };
    const interval = bounded(answer.interval ?? INTERVAL);
    return { prompt, code: answer.device_code, interval };
  } catch (error) {
    if (error instanceof OAuthError) throw error;
    flow.signal.throwIfAborted();
    const { message } = error as Error;
    throw new OAuthError("authorization", `The device authorization endpoint failed: ${message}`);
  }
}

/** Removes control characters, because they could manipulate the user's terminal. */
function printable(code: string): string {
  return code.replace(/\p{C}+/gu, "").slice(0, LONGEST_CODE);
}

function bounded(interval: number): number {
  return Math.min(Math.max(interval, SHORTEST_INTERVAL), LONGEST_INTERVAL);
}

async function poll(
  flow: Flow,
  client: RegisteredClient,
  code: string,
  interval: number,
): Promise<TokenResponse> {
  for (let seconds = interval; ;) {
    await wait(seconds * 1000, flow.signal);
    try {
      return await flow.token(client, GRANT, { ...flow.parameters, device_code: code });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      if (error.error === "slow_down") seconds = bounded(seconds + 5);
      else if (error.error !== "authorization_pending") throw error;
    }
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const done = (): void => {
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}
