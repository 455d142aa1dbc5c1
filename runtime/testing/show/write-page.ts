import { open, readFile, rename, rm } from "node:fs/promises";
import { openTape, TapeError } from "../tape/index.js";
import { emptyTape } from "../tape/tape-format.js";

/** The maximum size of a tape in a page, in characters. */
const PAGE_LIMIT = 256 * 1024 * 1024;

const MARK = "<!-- tape -->";
const TEMPLATE = new URL("../show/viewer.html", import.meta.url);

export function readTemplate(): Promise<string> {
  return readFile(TEMPLATE, "utf8");
}

/** True if {@link writePage} has written the file, which may therefore be replaced. */
export async function isPage(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(300), 0, 300, 0);
    return buffer.toString("utf8", 0, bytesRead).includes('content="mcp-codegen show"');
  } finally {
    await file.close();
  }
}

/**
 * Writes a page that shows a tape, or a page on which tapes can be opened. Returns the number of lines in the tape.
 *
 * @throws TapeError if the file is not a tape or contains only a head
 */
export async function writePage(
  out: string,
  tape: { readonly path: string; readonly name: string } | undefined,
): Promise<number> {
  const page = await readTemplate();
  const at = page.indexOf(MARK);
  const partial = `${out}.partial`;
  const file = await open(partial, "w", 0o600);
  let lines = 0;
  try {
    await file.write(page.slice(0, at));
    if (tape !== undefined) {
      await file.write('<script id="tape" type="application/jsonl">\n');
      for await (const line of dataOf(tape)) {
        await file.write(line);
        lines++;
      }
      if (lines === 1) throw emptyTape();
      await file.write("</script>");
    }
    await file.write(page.slice(at + MARK.length));
    await file.close();
    await rename(partial, out);
  } catch (error) {
    await file.close();
    await rm(partial, { force: true });
    throw error;
  }
  return Math.max(0, lines - 1);
}

/**
 * Yields the lines of a tape with `<` escaped, so that no line can end the script element. In JSON, `<` occurs only
 * in strings.
 */
async function* dataOf(tape: { readonly path: string; readonly name: string }) {
  const lines = await openTape(tape.path);
  yield safe(JSON.stringify({ ...lines.head, file: tape.name }));
  let length = 0;
  for await (const { source = "", n } of lines) {
    length += source.length;
    if (length > PAGE_LIMIT) throw new TapeError(n + 1, "a page cannot hold more than 256 MiB");
    yield safe(source);
  }
}

function safe(line: string): string {
  return `${line.replaceAll("<", "\\u003c")}\n`;
}
