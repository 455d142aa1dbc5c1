// Rehearses a release: publishes the built packages to a registry on this machine and creates projects from it, as
// users will.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "./pack.mjs";
import { packages } from "./packages.mjs";

const TEMPLATES = ["stdio-server", "http-server", "fetch-server", "client"];

const work = mkdtempSync(join(tmpdir(), "mcp-codegen-rehearsal-"));

/**
 * Returns the environment for the rehearsal, with npm settings that include a separate cache, so that nothing comes
 * from an earlier rehearsal.
 */
function settings(url) {
  const { host } = new URL(url);
  const userconfig = join(work, "npmrc");
  writeFileSync(
    userconfig,
    `registry=${url}\n//${host}/:_authToken=rehearsal\naudit=false\nloglevel=error\nfund=false\nupdate-notifier=false\n`,
  );
  // npm passes its own settings to the programs that it runs, so they are removed here.
  const outer = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const cache = join(work, "cache");
  return {
    ...Object.fromEntries(outer),
    npm_config_userconfig: userconfig,
    npm_config_cache: cache,
  };
}

function run(cwd, env, command, ...args) {
  console.log(`$ ${[command, ...args].join(" ")}`);
  const shell = process.platform === "win32";
  return execFileSync(command, args, {
    cwd,
    env,
    shell,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 << 20,
  });
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts a registry that serves our packages and fetches everything else from the registry behind it. */
async function startRegistry() {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const ours = "access: $all\n    publish: $anonymous\n    unpublish: $anonymous";
  const config = join(work, "registry.yaml");
  writeFileSync(
    config,
    [
      `storage: ${join(work, "storage")}`,
      `uplinks:\n  upstream:\n    url: ${upstream}`,
      `packages:\n  "@mcp-codegen/*":\n    ${ours}\n  mcp-codegen:\n    ${ours}`,
      `  "**":\n    access: $all\n    proxy: upstream`,
      `log: { type: stdout, level: fatal }`,
    ].join("\n"),
  );
  const folder = join(work, "registry");
  mkdirSync(folder);
  // Verdaccio requests node-fetch by a tag, which registry mirrors do not have.
  const manifest = { dependencies: { verdaccio: "^6.1.0" }, overrides: { "node-fetch": "^2.7.0" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  run(folder, process.env, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error");
  const { host } = new URL(url);
  const bin = join(folder, "node_modules/verdaccio/bin/verdaccio");
  const program = spawn(process.execPath, [bin, "--config", config, "--listen", host], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stop = () => program.kill();
  const isUp = () =>
    fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (program.exitCode !== null) throw new Error("The registry has ended before it listened");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { url, stop };
}

/** Creates, installs and tests a new project from each template. */
function startProjects(env) {
  for (const template of TEMPLATES) {
    const args = ["--yes", "mcp-codegen", "new", template, "--template", template];
    run(work, env, "npx", ...args, "--from-registry");
    const project = join(work, template);
    run(project, env, "npm", "install");
    run(project, env, "npm", "test");
  }
}

/** Follows the start page: installs the packages in an empty folder, and runs a server that must respond. */
function startByHand(env) {
  const project = join(work, "by-hand");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  run(project, env, "npm", "install", "@mcp-codegen/universal", "zod");
  writeFileSync(
    join(project, "program.js"),
    `import { connect } from "@mcp-codegen/universal/client";
     import { connectInMemory, McpServer } from "@mcp-codegen/universal/server";
     const server = new McpServer({ name: "rehearsal", version: "1.0.0" });
     server.registerTool("greet", {}, () => "hello");
     const client = await connect(await connectInMemory(server));
     const { content } = await client.callTool("greet");
     console.log(content[0].text);
     await client.close();`,
  );
  const said = run(project, env, process.execPath, "program.js").trim();
  if (said !== "hello") throw new Error(`The program printed ${said}`);
}

let registry;
try {
  registry = await startRegistry();
  const env = settings(registry.url);
  const archives = join(work, "archives");
  mkdirSync(archives);
  for (const { tarball } of await pack(packages, archives))
    run(work, env, "npm", "publish", tarball);
  startByHand(env);
  startProjects(env);
  console.log("Rehearsed: all packages can be installed, and all templates pass their tests.");
} finally {
  registry?.stop();
  rmSync(work, { recursive: true, force: true });
}
