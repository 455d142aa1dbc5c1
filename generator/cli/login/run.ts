import type { AuthStore, LogoutResult, OAuth } from "@mcp-codegen/auth/client";
import type { Diagnostics } from "../../diagnostics.js";
import type { Context, Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import type { Outcome } from "../outcome.js";
import { describeFailure, place } from "./failure.js";
import { withInterruption } from "./interruption.js";
import { loadModules } from "./modules.js";
import { readSettings } from "./settings.js";
import { wayToToken } from "./way.js";

/** Longest wait for the user, in seconds. */
const LONGEST = 3600;

/** `login`: tokens for an MCP server, into the store. */
export async function runLogin(values: Values, context: Context): Promise<Outcome | undefined> {
  if (values.flag("device") && values.flag("no-browser")) {
    context.diagnostics.add(usageError("--device and --no-browser exclude each other."));
  }
  const timeout = values.number("timeout") ?? 0;
  if (!(timeout > 0 && timeout <= LONGEST)) {
    context.diagnostics.add(usageError(`--timeout must be between 0 and ${LONGEST} seconds.`));
  }
  return run(values, context, async (auth, url) => {
    await withInterruption(`The login at ${place(url)} was interrupted.`, (signal) =>
      auth.login(url, { signal }),
    );
    return { data: { url: place(url) }, lines: [`Logged in at ${place(url)}`] };
  });
}

/** `logout`: the tokens for an MCP server, revoked and out of the store. */
export async function runLogout(values: Values, context: Context): Promise<Outcome | undefined> {
  return run(values, context, async (auth, url) => {
    const tokens = await auth.logout(url);
    const [line, summary] = LOGOUT[tokens];
    return {
      data: { url: place(url), tokens },
      lines: [`${line} ${place(url)}`],
      ...(summary !== undefined && { summary }),
    };
  });
}

const LOGOUT: Readonly<Record<LogoutResult, readonly [line: string, summary?: string]>> = {
  revoked: ["Logged out of"],
  forgotten: [
    "Logged out of",
    "The tokens are forgotten here, but the authorization server did not revoke them: they stay valid until they end.",
  ],
  none: [
    "Not logged in at",
    "There were no tokens; they are kept by address, --client-id and --store.",
  ],
};

async function run(
  values: Values,
  { diagnostics }: Context,
  act: (auth: OAuth, url: URL) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  const settings = readSettings(values, diagnostics);
  const modules = settings && (await loadModules(diagnostics));
  if (modules === undefined) return undefined;
  const { url, folder, options } = settings!;
  const store = modules.node.fileStore(folder === undefined ? {} : { folder });
  if (!(await isUsable(store, diagnostics))) return undefined;
  const authorize = wayToToken(values, modules);
  const auth = modules.client.oauth({ authorize, store, ...options });
  try {
    return await act(auth, url);
  } catch (error) {
    diagnostics.add(await describeFailure(error, url));
    return undefined;
  }
}

/** Tries the store before the user is asked for anything. */
async function isUsable(store: AuthStore, diagnostics: Diagnostics): Promise<boolean> {
  try {
    await store.exclusive?.("login", async () => {});
    return true;
  } catch (error) {
    diagnostics.add({
      code: "MCG6102",
      severity: "error",
      message: `The tokens cannot be kept: ${(error as Error).message}.`,
      hint: "Choose another folder with --store.",
    });
    return false;
  }
}
