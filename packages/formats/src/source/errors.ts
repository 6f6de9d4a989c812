/** Something that cannot be read at all, whatever is in it: a URL that does not answer, a text that is too long. */
export class UnreadableError extends Error {
  override readonly name: string = 'UnreadableError';
}
