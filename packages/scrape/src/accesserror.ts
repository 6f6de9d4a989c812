/** A file of a user's that an access needs is missing or wrong. `message` names the file and what was expected of it. */
export class AccessError extends Error {
  override readonly name: string = 'AccessError';
  /** The file. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}
