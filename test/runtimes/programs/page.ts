import { transcripts } from "./client-cases.js";

/* The script of a page: runs the client in a browser, and posts what it received to the page's server. */

const { searchParams } = new URL(location.href);
const report = await transcripts(searchParams.get("server")!).catch((error: Error) => ({
  error: String(error),
  stack: error.stack,
}));
await fetch("/report", { method: "POST", body: JSON.stringify(report) });
