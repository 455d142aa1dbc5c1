/** Content of a configuration file. Its members correspond to the options of the command line. */
export interface Config {
  /** Ids of the revisions to generate: bundled ones, or the id of `schema`. */
  readonly revisions?: readonly string[];
  /** True to generate every bundled revision, and the package that serves all of them. */
  readonly all?: boolean;
  /** True to also generate one package that serves all revisions in `revisions`. */
  readonly universal?: boolean;
  /** Path of a custom schema.ts, relative to the configuration file. */
  readonly schema?: string;
  /** Path of the facts about `schema`, relative to the configuration file. */
  readonly facts?: string;
  /** Extensions of the protocol, with custom schemas. */
  readonly extensions?: readonly ExtensionConfig[];
  /** Output folder, relative to the configuration file. */
  readonly out?: string;
  /** Module that the generated code imports instead of `@mcp-codegen/runtime/codegen`. */
  readonly runtime?: string;
  /** True to omit package.json, tsconfig.json and README.md, for a folder inside your project. */
  readonly modulesOnly?: boolean;
}

/** An extension to generate, as with the command `extension`. Paths are relative to the configuration file. */
export interface ExtensionConfig {
  /** Extension id, with a prefix that you own: `com.example/maps`. */
  readonly id: string;
  /** Path of the extension's schema. */
  readonly schema: string;
  /** Revision that it extends: a bundled one, or the path of a schema.ts. Default: the newest bundled one. */
  readonly revision?: string;
  readonly facts?: string;
  /** Output folder. Default: a folder beside those of the revisions, named after the last part of the id. */
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
