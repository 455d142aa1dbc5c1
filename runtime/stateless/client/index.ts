/** Subscriptions of stateless clients, which only some clients load. */
export {
  type SubscribeOptions,
  type SubscribingClient,
  type Subscription,
  subscribe,
} from "./subscribe.js";
