import type { OAuthOptions } from "@mcp-codegen/auth/client";
import type { Diagnostics } from "../../diagnostics.js";
import type { Values } from "../command.js";
import { usageError } from "../explain-usage.js";

/** Meaning of the command line of `login` and `logout`. */
export interface Settings {
  readonly url: URL;
  /** Folder of the tokens; undefined for that of `fileStore()`. */
  readonly folder: string | undefined;
  readonly options: Omit<OAuthOptions, "authorize">;
}

export function readSettings(values: Values, diagnostics: Diagnostics): Settings | undefined {
  const url = serverUrl(values.text("url") ?? "", diagnostics);
  const client = knownClient(values, diagnostics);
  if (url === undefined || diagnostics.hasErrors) return undefined;
  const timeout = values.number("timeout");
  const options = {
    clientMetadata: { client_name: "mcp-codegen" },
    scopes: values.text("scope")?.split(/\s+/).filter(Boolean) ?? [],
    ...(timeout !== undefined && { timeout: timeout * 1000 }),
    ...(client && { client }),
  };
  return { url, folder: values.text("store"), options };
}

function serverUrl(text: string, diagnostics: Diagnostics): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  diagnostics.add(
    usageError(
      "The address of the server must be an http: or https: URL without a user or password.",
      "For example: https://mcp.example.com/mcp",
    ),
  );
  return undefined;
}

function knownClient(values: Values, diagnostics: Diagnostics): OAuthOptions["client"] {
  const id = values.text("client-id");
  const variable = values.text("client-secret-env");
  const secret = variable === undefined ? undefined : process.env[variable];
  if (variable !== undefined && id === undefined) {
    diagnostics.add(usageError("--client-secret-env needs --client-id."));
  } else if (variable !== undefined && !secret) {
    diagnostics.add(
      usageError("The environment variable that --client-secret-env names is not set."),
    );
  }
  return id === undefined ? undefined : { id, ...(secret && { secret }) };
}
