/** Resource that a server's URL stands for: the URL without its fragment (RFC 8707). */
export function resourceUrlFromServerUrl(url: URL | string): URL {
  const resource = new URL(url);
  resource.hash = "";
  return resource;
}

/** True when a resource is the configured one, or lies below it. */
export function checkResourceAllowed({
  requestedResource,
  configuredResource,
}: {
  requestedResource: URL | string;
  configuredResource: URL | string;
}): boolean {
  const requested = new URL(requestedResource);
  const configured = new URL(configuredResource);
  const isBelow = folder(requested).startsWith(folder(configured));
  return requested.origin === configured.origin && isBelow;
}

function folder({ pathname }: URL): string {
  return pathname.endsWith("/") ? pathname : `${pathname}/`;
}
