/** Subscriptions for stateless clients. Only some clients load this code. */
export {
  type SubscribeOptions,
  type SubscribingClient,
  type Subscription,
  subscribe,
} from "./subscribe.js";
