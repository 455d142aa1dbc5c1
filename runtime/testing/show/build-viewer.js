import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const generated = join(import.meta.dirname, "../../../generated/universal");
const page = join(import.meta.dirname, "page");
const read = (name) => readFileSync(join(page, name), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Puts the script and the style into the page, with a policy that allows them and nothing else. */
function onePage() {
  return {
    name: "one-page",
    generateBundle(_, bundle) {
      const [chunk] = Object.values(bundle);
      // What would end the element that the script is in.
      const script = chunk.code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
      const style = read("viewer.css")
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .replace(/\s+/g, " ");
      const policy = [
        "default-src 'none'",
        `script-src ${hash(script)}`,
        `style-src ${hash(style)}`,
        "img-src data:",
        "connect-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ].join("; ");
      const parts = {
        policy: `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
        style: `<style>${style}</style>`,
        script: `<script>${script}</script>`,
      };
      const source = read("viewer.html").replace(
        /<!-- (policy|style|script) -->/g,
        (__, name) => parts[name],
      );
      delete bundle[chunk.fileName];
      this.emitFile({ type: "asset", fileName: "viewer.html", source });
    },
  };
}

/** Build of the page of `mcp-codegen show`, which the command puts a tape into. */
export const viewer = {
  cwd: page,
  input: "main.ts",
  platform: "browser",
  logLevel: "warn",
  // The package may load revisions later, which a page in one file cannot.
  resolve: { alias: { "@mcp-codegen/universal/revisions": join(generated, "revisions.ts") } },
  external: [/^node:/],
  plugins: [onePage()],
  output: {
    dir: join(import.meta.dirname, "../dist/show"),
    format: "iife",
    minify: true,
    comments: false,
    codeSplitting: false,
  },
};
