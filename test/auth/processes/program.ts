import { createInterface } from "node:readline";
import { type AuthStore, oauth, type OAuthOptions, redirect } from "@mcp-codegen/auth/client";
import { fileStore } from "@mcp-codegen/auth/node";
import { connect } from "@mcp-codegen/universal";

/** The program's settings, passed as JSON in its first argument. */
export interface ProgramSettings {
  readonly url: string;
  readonly folder: string;
  /** False for a store without `exclusive`. */
  readonly isLocked: boolean;
  /** True to wait forever instead of sending anything to the token endpoint. */
  readonly isStalled: boolean;
}

/** A line that the program writes. */
export type ProgramLine = { event: "ready" | "stalled" } | { text: string } | { error: string };

const { url, folder, isLocked, isStalled } = JSON.parse(process.argv[2]!) as ProgramSettings;

const say = (line: ProgramLine) => process.stdout.write(`${JSON.stringify(line)}\n`);

const files = fileStore({ folder });
const unlocked: AuthStore = {
  get: (key) => files.get(key),
  set: (key, value) => files.set(key, value),
  delete: (key) => files.delete(key),
};

const stall: NonNullable<OAuthOptions["fetch"]> = (to, init) => {
  if (to.pathname !== "/token") return fetch(to, init);
  say({ event: "stalled" });
  return new Promise(() => {});
};

const visit = () => {
  throw new Error("The user is asked again");
};

/** Calls a tool with the tokens that the store holds now. */
async function call(): Promise<ProgramLine> {
  const authorize = redirect({ redirectUri: "http://127.0.0.1:3999/callback", visit });
  const store = isLocked ? files : unlocked;
  const auth = oauth({ authorize, store, ...(isStalled && { fetch: stall }) });
  try {
    const client = await connect(url, { auth });
    const { content } = await client.callTool("whoami");
    await client.close();
    return { text: (content as { text: string }[])[0]!.text };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

createInterface({ input: process.stdin }).on("line", () => void call().then(say));
say({ event: "ready" });
