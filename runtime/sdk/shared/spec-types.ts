import type { Schema } from "./message-schema.js";
import * as common from "./protocol-schemas.js";
import {
  CallToolResultSchema,
  ClientTasksCapabilitySchema,
  CompatibilityCallToolResultSchema,
  CreateMessageResultWithToolsSchema,
  ListChangedOptionsBaseSchema,
  ProgressSchema,
  RequestMetaSchema,
  SamplingContentSchema,
  ServerTasksCapabilitySchema,
  SubscriptionsListenResultMetaSchema,
  TaskCreationParamsSchema,
  ToolResultContentSchema,
} from "./further-schemas.js";
import {
  IdJagTokenExchangeResponseSchema,
  OAuthClientInformationFullSchema,
  OAuthClientInformationSchema,
  OAuthClientMetadataSchema,
  OAuthClientRegistrationErrorSchema,
  OAuthErrorResponseSchema,
  OAuthMetadataSchema,
  OAuthProtectedResourceMetadataSchema,
  OAuthTokenRevocationRequestSchema,
  OAuthTokensSchema,
  OpenIdProviderDiscoveryMetadataSchema,
  OpenIdProviderMetadataSchema,
  OptionalSafeUrlSchema,
  SafeUrlSchema,
} from "./oauth-schemas.js";
import type * as schemas from "./schema-constants.js";

type Schemas = typeof schemas;
type Name<Constant> = Constant extends `${infer Type}Schema` ? Type : never;
type OutputOf<Constant> = Constant extends Schema<infer Output> ? Output : never;

/** The names of types that have a schema. */
export type SpecTypeName = Name<keyof Schemas>;
/** The types that have a schema, by name. */
export type SpecTypes = {
  [Constant in keyof Schemas as Name<Constant>]: OutputOf<Schemas[Constant]>;
};

type SpecTypeSchemas = { readonly [Type in SpecTypeName]: Schema<SpecTypes[Type]> };
type SpecTypeGuards = {
  readonly [Type in SpecTypeName]: (value: unknown) => value is SpecTypes[Type];
};

/** Maps type names to schemas, as in `specTypeSchemas.Tool`. */
export const specTypeSchemas: SpecTypeSchemas = /* @__PURE__ */ byType(
  (schema) => schema,
) as unknown as SpecTypeSchemas;

/** Maps type names to type guards, as in `isSpecType.Tool(value)`. */
export const isSpecType: SpecTypeGuards = /* @__PURE__ */ byType(
  (schema) => (value: unknown) => schema.safeParse(value).success,
) as unknown as SpecTypeGuards;

function byType<Value>(map: (schema: Schema) => Value): Readonly<Record<string, Value>> {
  const own = {
    CallToolResultSchema,
    ClientTasksCapabilitySchema,
    CompatibilityCallToolResultSchema,
    CreateMessageResultWithToolsSchema,
    ListChangedOptionsBaseSchema,
    ProgressSchema,
    RequestMetaSchema,
    SamplingContentSchema,
    ServerTasksCapabilitySchema,
    SubscriptionsListenResultMetaSchema,
    TaskCreationParamsSchema,
    ToolResultContentSchema,
    IdJagTokenExchangeResponseSchema,
    OAuthClientInformationFullSchema,
    OAuthClientInformationSchema,
    OAuthClientMetadataSchema,
    OAuthClientRegistrationErrorSchema,
    OAuthErrorResponseSchema,
    OAuthMetadataSchema,
    OAuthProtectedResourceMetadataSchema,
    OAuthTokenRevocationRequestSchema,
    OAuthTokensSchema,
    OpenIdProviderDiscoveryMetadataSchema,
    OpenIdProviderMetadataSchema,
    OptionalSafeUrlSchema,
    SafeUrlSchema,
  };
  const entries = Object.entries<Schema>({ ...common, ...own });
  return Object.freeze(
    Object.fromEntries(
      entries.map(([name, schema]) => [name.slice(0, -"Schema".length), map(schema)]),
    ),
  );
}
