/** The content of a configuration file. Its properties correspond to the command-line options. */
export interface Config {
  /** The ids of the revisions to generate: bundled ones, or the id of `schema`. */
  readonly revisions?: readonly string[];
  /** True to generate every bundled revision, as well as the package that serves all of them. */
  readonly all?: boolean;
  /** True to also generate one package that serves all revisions in `revisions`. */
  readonly universal?: boolean;
  /** The path of a custom schema.ts, relative to the configuration file. */
  readonly schema?: string;
  /** The path of a file with facts about `schema`, relative to the configuration file. */
  readonly facts?: string;
  /** Protocol extensions with custom schemas. */
  readonly extensions?: readonly ExtensionConfig[];
  /** The output folder, relative to the configuration file. */
  readonly out?: string;
  /** The module that the generated code imports instead of `@mcp-codegen/runtime/codegen`. */
  readonly runtime?: string;
  /**
   * True to omit package.json, tsconfig.json and README.md, for example when the output folder is inside your own
   * project.
   */
  readonly modulesOnly?: boolean;
}

/** An extension to generate, as with the `extension` command. Paths are relative to the configuration file. */
export interface ExtensionConfig {
  /** The extension's id, with a prefix that you own: `com.example/maps`. */
  readonly id: string;
  /** The path of the extension's schema. */
  readonly schema: string;
  /** The revision that it extends: a bundled one, or the path of a schema.ts. Default: the newest bundled one. */
  readonly revision?: string;
  readonly facts?: string;
  /** The output folder. Default: a folder next to those of the revisions, named after the last part of the id. */
  readonly out?: string;
}

/**
 * Returns a configuration unchanged, so that TypeScript checks its type.
 *
 * @example `export default defineConfig({ all: true });`
 */
export function defineConfig(config: Config): Config {
  return config;
}
