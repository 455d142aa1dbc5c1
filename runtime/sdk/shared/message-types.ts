// Provisional: the generated types of all revisions take its place.
export type * from "@mcp-codegen/2025-11-25/types";
export type {
  DiscoverRequest,
  DiscoverResult,
  InputRequest,
  InputRequests,
  InputRequiredResult,
  InputResponse,
  InputResponses,
  JSONArray,
  JSONObject,
  JSONValue,
  MetaObject,
  RequestMetaObject,
  ResultMetaObject,
  SubscriptionFilter,
  SubscriptionsAcknowledgedNotification,
  SubscriptionsAcknowledgedNotificationParams,
  SubscriptionsListenRequest,
  SubscriptionsListenRequestParams,
  SubscriptionsListenResult,
} from "@mcp-codegen/2026-07-28/types";
