import type { OutputFile } from "../plan/file-plan.js";
import type { ServerDescription } from "./collect/server.js";
import { serverPage } from "./pages/server-page.js";
import { renderSite, type Shell } from "./render.js";

export function serverSite(
  server: ServerDescription,
  { origin, command }: Pick<Shell, "origin" | "command">,
): readonly OutputFile[] {
  const page = { ...serverPage(server, "index"), area: "index.html" };
  const { name, digest } = server;
  return renderSite([page], {
    name,
    origin,
    command,
    sources: `the contract of ${name} (${digest})`,
    areas: [{ page: "index.html", title: name }],
  });
}
