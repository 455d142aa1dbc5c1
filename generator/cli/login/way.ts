import type { Authorize, DevicePrompt } from "@mcp-codegen/auth/client";
import { visible } from "../../report/visible.js";
import type { Values } from "../command.js";
import type { Modules } from "./modules.js";

/** The way to a token that the command line names; the browser by default. */
export function wayToToken(values: Values, { client, node }: Modules): Authorize {
  if (values.flag("device")) return client.device({ show: showCode });
  return node.loopback(values.flag("no-browser") ? { open: () => undefined, show: showUrl } : {});
}

function showUrl(url: URL): void {
  process.stderr.write(`Log in with your browser at:\n${url.href}\n`);
}

/** The code comes from the server: nothing in it may steer the terminal. */
function showCode({ url, userCode }: DevicePrompt): void {
  process.stderr.write(
    `Open ${url.href} on any device, and type in this code: ${visible(userCode)}\n`,
  );
}
