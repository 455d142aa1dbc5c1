/** Thrown by a handler when the user does not want what the server asks for; the server is told so. */
export class UserRejectedError extends Error {
  override readonly name: string = "UserRejectedError";

  constructor(message = "The user rejected the request") {
    super(message);
  }
}
