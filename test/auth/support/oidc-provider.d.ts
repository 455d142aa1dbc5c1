/** Part of `oidc-provider` that the tests use; the package has no types of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface InteractionDetails {
    readonly params: Readonly<Record<string, unknown>>;
    readonly session?: { readonly accountId?: string };
    readonly grantId?: string;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  interface GrantClass {
    new (of: { readonly accountId: string; readonly clientId: string }): Grant;
    find(id: string): Promise<Grant | undefined>;
  }

  export interface TokenContext {
    readonly oidc: { readonly params: Readonly<Record<string, unknown>> };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: GrantClass;
    on(event: string, listener: (context: TokenContext, error?: Error) => void): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<InteractionDetails>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: object,
    ): Promise<void>;
  }
}
