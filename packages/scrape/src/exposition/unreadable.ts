/**
 * Why a line cannot be read: thrown by what reads a piece of it, caught where the line is.
 *
 * Not an `Error`, whose stack trace takes longer to collect than a line to read: a body may have millions of bad lines.
 */
export class Unreadable {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}
