export {
  AppViews,
  type AppsServer,
  type ViewConfig,
  type ViewContext,
  type ViewTypes,
} from "./app-views.js";
export { VIEW_MIME_TYPE, viewUriOf } from "./view-uri.js";
