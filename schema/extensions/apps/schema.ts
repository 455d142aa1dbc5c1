/* Types of the apps extension, restated: same types on the wire, with comments of its own. */

import type {
  CallToolResult,
  ContentBlock,
  EmbeddedResource,
  Implementation,
  RequestId,
  ResourceLink,
  Tool,
} from "../../2025-11-25/schema.js";

/* Settings */

/** Settings of a client that shows views. */
export interface McpUiClientCapabilities {
  /** MIME types that the client can show; `text/html;profile=mcp-app` is the one of this extension. */
  mimeTypes?: string[];
}

/* Tools and resources of the server */

/** Who calls a tool: the model, or the view that the tool opened. */
export type McpUiToolVisibility = "model" | "app";

/** Member `ui` in the `_meta` of a tool. */
export interface McpUiToolMeta {
  /** URI of the resource with the view, such as `ui://shop/cart`. */
  resourceUri?: string;

  /** Sides that may call the tool; both without it. */
  visibility?: McpUiToolVisibility[];

  /** Belongs to the resource: see {@link McpUiResourceMeta}. */
  csp?: never;

  /** Belongs to the resource: see {@link McpUiResourceMeta}. */
  permissions?: never;
}

/** Origins that a view needs; everything else is blocked. */
export interface McpUiResourceCsp {
  /** Origins that scripts may connect to (`connect-src`). */
  connectDomains?: string[];

  /** Origins of scripts, styles, images, fonts and media. A host may be `*.example.com`. */
  resourceDomains?: string[];

  /** Origins that frames inside the view may have (`frame-src`). */
  frameDomains?: string[];

  /** URIs that the document may name as its base (`base-uri`). */
  baseUriDomains?: string[];
}

/** Abilities of the browser that a view requests. A view must work without those that it is not granted. */
export interface McpUiResourcePermissions {
  camera?: {};
  microphone?: {};
  geolocation?: {};
  /** Writing to the clipboard (`clipboard-write`). */
  clipboardWrite?: {};
  /** Tools of the page itself (`tools`). */
  tools?: {};
}

/** Member `ui` in the `_meta` of a resource with a view. */
export interface McpUiResourceMeta {
  csp?: McpUiResourceCsp;
  permissions?: McpUiResourcePermissions;

  /** Origin of its own that the view requests, in the form that the host documents. */
  domain?: string;

  /** Border and background around the view: wanted, not wanted, or as the host likes. */
  prefersBorder?: boolean;
}

/* Conversation of view and host */

/** Revision of the conversation between a view and its host. */
export const LATEST_PROTOCOL_VERSION = "2026-01-26";

/** Appearance of the host. */
export type McpUiTheme = "light" | "dark";

/** Room that a view takes: in the conversation, the whole window, or a small window of its own. */
export type McpUiDisplayMode = "inline" | "fullscreen" | "pip";

/** Custom properties of CSS by which a view takes on the look of its host. */
export type McpUiStyleVariableKey =
  | "--border-radius-full"
  | "--border-radius-lg"
  | "--border-radius-md"
  | "--border-radius-sm"
  | "--border-radius-xl"
  | "--border-radius-xs"
  | "--border-width-regular"
  | "--color-background-danger"
  | "--color-background-disabled"
  | "--color-background-ghost"
  | "--color-background-info"
  | "--color-background-inverse"
  | "--color-background-primary"
  | "--color-background-secondary"
  | "--color-background-success"
  | "--color-background-tertiary"
  | "--color-background-warning"
  | "--color-border-danger"
  | "--color-border-disabled"
  | "--color-border-ghost"
  | "--color-border-info"
  | "--color-border-inverse"
  | "--color-border-primary"
  | "--color-border-secondary"
  | "--color-border-success"
  | "--color-border-tertiary"
  | "--color-border-warning"
  | "--color-ring-danger"
  | "--color-ring-info"
  | "--color-ring-inverse"
  | "--color-ring-primary"
  | "--color-ring-secondary"
  | "--color-ring-success"
  | "--color-ring-warning"
  | "--color-text-danger"
  | "--color-text-disabled"
  | "--color-text-ghost"
  | "--color-text-info"
  | "--color-text-inverse"
  | "--color-text-primary"
  | "--color-text-secondary"
  | "--color-text-success"
  | "--color-text-tertiary"
  | "--color-text-warning"
  | "--font-heading-2xl-line-height"
  | "--font-heading-2xl-size"
  | "--font-heading-3xl-line-height"
  | "--font-heading-3xl-size"
  | "--font-heading-lg-line-height"
  | "--font-heading-lg-size"
  | "--font-heading-md-line-height"
  | "--font-heading-md-size"
  | "--font-heading-sm-line-height"
  | "--font-heading-sm-size"
  | "--font-heading-xl-line-height"
  | "--font-heading-xl-size"
  | "--font-heading-xs-line-height"
  | "--font-heading-xs-size"
  | "--font-mono"
  | "--font-sans"
  | "--font-text-lg-line-height"
  | "--font-text-lg-size"
  | "--font-text-md-line-height"
  | "--font-text-md-size"
  | "--font-text-sm-line-height"
  | "--font-text-sm-size"
  | "--font-text-xs-line-height"
  | "--font-text-xs-size"
  | "--font-weight-bold"
  | "--font-weight-medium"
  | "--font-weight-normal"
  | "--font-weight-semibold"
  | "--shadow-hairline"
  | "--shadow-lg"
  | "--shadow-md"
  | "--shadow-sm";

/** Values in CSS; a host provides those that it has. */
export type McpUiStyles = Record<McpUiStyleVariableKey, string | undefined>;

/** Blocks of CSS from the host. */
export interface McpUiHostCss {
  /** Rules that load fonts. */
  fonts?: string;
}

/** Look of the host. */
export interface McpUiHostStyles {
  variables?: McpUiStyles;
  css?: McpUiHostCss;
}

/** Surroundings of a view, as the host reports them. */
export interface McpUiHostContext {
  /** The call that opened the view. */
  toolInfo?: {
    /** Id of the request `tools/call`. */
    id?: RequestId;
    tool: Tool;
  };
  theme?: McpUiTheme;
  styles?: McpUiHostStyles;
  displayMode?: McpUiDisplayMode;
  availableDisplayModes?: McpUiDisplayMode[];

  /** Size of the frame in pixels: each dimension fixed, or limited. */
  containerDimensions?: ({ height: number } | { maxHeight?: number | undefined }) &
    ({ width: number } | { maxWidth?: number | undefined });

  /** Language tag of BCP 47. */
  locale?: string;

  /** Time zone, such as `Europe/Rome`. */
  timeZone?: string;

  /** Name of the host. */
  userAgent?: string;
  platform?: "web" | "desktop" | "mobile";
  deviceCapabilities?: { touch?: boolean; hover?: boolean };

  /** Margins in pixels that the device covers. */
  safeAreaInsets?: { top: number; right: number; bottom: number; left: number };
  [key: string]: unknown;
}

/** Kinds of content that the host takes. */
export interface McpUiSupportedContentBlockModalities {
  text?: {};
  image?: {};
  audio?: {};
  resource?: {};
  resourceLink?: {};
  structuredContent?: {};
}

/** What a host can do for its views. */
export interface McpUiHostCapabilities {
  experimental?: Record<string, object>;

  /** Takes `ui/open-link`. */
  openLinks?: {};

  /** Takes `ui/download-file`. */
  downloadFile?: {};

  /** Passes calls of tools on to the server. */
  serverTools?: { listChanged?: boolean };

  /** Passes reads of resources on to the server. */
  serverResources?: { listChanged?: boolean };

  /** Takes log messages. */
  logging?: {};

  /** Limits that the view runs under. */
  sandbox?: { permissions?: McpUiResourcePermissions; csp?: McpUiResourceCsp };

  /** Takes `ui/update-model-context`, with these kinds of content. */
  updateModelContext?: McpUiSupportedContentBlockModalities;

  /** Takes `ui/message`, with these kinds of content. */
  message?: McpUiSupportedContentBlockModalities;

  /** Lets the view send requests to the model. */
  sampling?: { tools?: {} };
}

/** What a view can do for its host. */
export interface McpUiAppCapabilities {
  experimental?: Record<string, object>;

  /** Tools of the view itself. */
  tools?: { listChanged?: boolean };
  availableDisplayModes?: McpUiDisplayMode[];
}

/* Opening and closing */

/** The view introduces itself: its first message. */
export interface McpUiInitializeRequest {
  method: "ui/initialize";
  params: {
    protocolVersion: string;
    appInfo: Implementation;
    appCapabilities: McpUiAppCapabilities;
  };
}

/** The host introduces itself. */
export interface McpUiInitializeResult {
  protocolVersion: string;
  hostInfo: Implementation;
  hostCapabilities: McpUiHostCapabilities;
  hostContext: McpUiHostContext;
  [key: string]: unknown;
}

/** The view is ready for what comes. */
export interface McpUiInitializedNotification {
  method: "ui/notifications/initialized";
  params?: {};
}

/** The view requests to be closed; the host decides. */
export interface McpUiRequestTeardownNotification {
  method: "ui/notifications/request-teardown";
  params?: {};
}

/** The host is going to remove the view. */
export interface McpUiResourceTeardownRequest {
  method: "ui/resource-teardown";
  params: {};
}

/** The view is ready to be removed. */
export interface McpUiResourceTeardownResult {
  [key: string]: unknown;
}

/* Requests of the view */

/** Opens a URL outside of the view. */
export interface McpUiOpenLinkRequest {
  method: "ui/open-link";
  params: { url: string };
}

export interface McpUiOpenLinkResult {
  /** True when the host did not open it. */
  isError?: boolean;
  [key: string]: unknown;
}

/** Lets the user save files, which the sandbox of the view cannot. */
export interface McpUiDownloadFileRequest {
  method: "ui/download-file";
  params: { contents: (EmbeddedResource | ResourceLink)[] };
}

export interface McpUiDownloadFileResult {
  /** True when the host saved nothing. */
  isError?: boolean;
  [key: string]: unknown;
}

/** Says something in the conversation, in place of the user. */
export interface McpUiMessageRequest {
  method: "ui/message";
  params: { role: "user"; content: ContentBlock[] };
}

export interface McpUiMessageResult {
  /** True when the host did not pass it on. */
  isError?: boolean;
  [key: string]: unknown;
}

/** Provides context for the model's next turn; replaces what was provided before. */
export interface McpUiUpdateModelContextRequest {
  method: "ui/update-model-context";
  params: { content?: ContentBlock[]; structuredContent?: Record<string, unknown> };
}

/** Requests another display mode. */
export interface McpUiRequestDisplayModeRequest {
  method: "ui/request-display-mode";
  params: { mode: McpUiDisplayMode };
}

export interface McpUiRequestDisplayModeResult {
  /** Mode that the view has now. */
  mode: McpUiDisplayMode;
  [key: string]: unknown;
}

/** The view has another size, in pixels. */
export interface McpUiSizeChangedNotification {
  method: "ui/notifications/size-changed";
  params: { width?: number; height?: number };
}

/* Notifications of the host */

/** Arguments of the call that opened the view. */
export interface McpUiToolInputNotification {
  method: "ui/notifications/tool-input";
  params: { arguments?: Record<string, unknown> };
}

/** Arguments as far as the model wrote them. */
export interface McpUiToolInputPartialNotification {
  method: "ui/notifications/tool-input-partial";
  params: { arguments?: Record<string, unknown> };
}

/** Result of the call that opened the view. */
export interface McpUiToolResultNotification {
  method: "ui/notifications/tool-result";
  params: CallToolResult;
}

/** The call that opened the view was cancelled. */
export interface McpUiToolCancelledNotification {
  method: "ui/notifications/tool-cancelled";
  params: { reason?: string };
}

/** Members of the surroundings that changed. */
export interface McpUiHostContextChangedNotification {
  method: "ui/notifications/host-context-changed";
  params: McpUiHostContext;
}

/* Sandbox of web hosts */

/** The frame between host and view is loaded. */
export interface McpUiSandboxProxyReadyNotification {
  method: "ui/notifications/sandbox-proxy-ready";
  params: {};
}

/** The document that this frame is to show, and its limits. */
export interface McpUiSandboxResourceReadyNotification {
  method: "ui/notifications/sandbox-resource-ready";
  params: {
    html: string;
    /** Attribute `sandbox` of the inner frame, in place of the usual one. */
    sandbox?: string;
    csp?: McpUiResourceCsp;
    permissions?: McpUiResourcePermissions;
  };
}

/* Methods by name */

export const INITIALIZE_METHOD = "ui/initialize";
export const INITIALIZED_METHOD = "ui/notifications/initialized";
export const REQUEST_TEARDOWN_METHOD = "ui/notifications/request-teardown";
export const RESOURCE_TEARDOWN_METHOD = "ui/resource-teardown";
export const OPEN_LINK_METHOD = "ui/open-link";
export const DOWNLOAD_FILE_METHOD = "ui/download-file";
export const MESSAGE_METHOD = "ui/message";
export const REQUEST_DISPLAY_MODE_METHOD = "ui/request-display-mode";
export const SIZE_CHANGED_METHOD = "ui/notifications/size-changed";
export const TOOL_INPUT_METHOD = "ui/notifications/tool-input";
export const TOOL_INPUT_PARTIAL_METHOD = "ui/notifications/tool-input-partial";
export const TOOL_RESULT_METHOD = "ui/notifications/tool-result";
export const TOOL_CANCELLED_METHOD = "ui/notifications/tool-cancelled";
export const HOST_CONTEXT_CHANGED_METHOD = "ui/notifications/host-context-changed";
export const SANDBOX_PROXY_READY_METHOD = "ui/notifications/sandbox-proxy-ready";
export const SANDBOX_RESOURCE_READY_METHOD = "ui/notifications/sandbox-resource-ready";
