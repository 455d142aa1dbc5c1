import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";

/**
 * Opens a page in the user's browser. It does not use a shell, which could run parts of the URL as a command (MCP:
 * security best practices). Errors are ignored, because the user can also open the URL that is shown.
 */
export async function openBrowser(url: URL): Promise<void> {
  if (url.protocol !== "https:" && url.protocol !== "http:") return;
  const [command, ...args] = await browserCommand();
  const child = spawn(command!, [...args, url.href], {
    shell: false,
    stdio: "ignore",
    detached: true,
    windowsHide: true,
  });
  child.on("error", () => {});
  child.unref();
}

export async function browserCommand(platform: string = process.platform): Promise<string[]> {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32.exe", "url.dll,FileProtocolHandler"];
  const isWsl = /microsoft/i.test(await readFile("/proc/version", "utf8").catch(() => ""));
  if (!isWsl) return ["xdg-open"];
  return ["/mnt/c/Windows/System32/rundll32.exe", "url.dll,FileProtocolHandler"];
}
