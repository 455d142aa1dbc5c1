// The part that each host does in its own way: it sends the user to a URL and sees where they come back.

export const redirectUri = "http://127.0.0.1:3999/callback";

export async function visit(url) {
  const response = await fetch(url, { redirect: "manual" });
  return new URL(response.headers.get("location"));
}
