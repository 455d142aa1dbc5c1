export const OWN = { "com.example/own": 1 };

export const ICONS = [{ src: "https://example.com/icon.png", sizes: ["48x48"] }];

const annotations = {
  audience: ["user" as const],
  priority: 1,
  lastModified: "2025-01-01T00:00:00Z",
};

/** A content block of each kind, with all its members. */
export const BLOCKS = [
  { type: "text" as const, text: "text", annotations, _meta: OWN },
  { type: "image" as const, data: "aW1hZ2U=", mimeType: "image/png", annotations, _meta: OWN },
  { type: "audio" as const, data: "YXVkaW8=", mimeType: "audio/wav", annotations, _meta: OWN },
  {
    type: "resource_link" as const,
    uri: "maximal://one",
    name: "maximal",
    title: "Titled",
    icons: ICONS,
    annotations,
    _meta: OWN,
  },
  {
    type: "resource" as const,
    resource: { uri: "maximal://one", text: "read", mimeType: "text/plain", _meta: OWN },
    annotations,
    _meta: OWN,
  },
];
