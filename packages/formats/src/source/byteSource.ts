/** Where bytes come from, and the first of them. */
export interface Source {
  /** Path or URL; undefined for text and bytes. */
  readonly name: string | undefined;
  /** The path, where it is a file. */
  readonly file: string | undefined;
  /** The path, where it is a directory, which has no bytes. */
  readonly folder?: string;
  /** The first bytes: enough to tell formats apart. */
  readonly head: Uint8Array;
  /** All bytes. */
  readonly bytes: () => Promise<Uint8Array>;
  /** All bytes, piece by piece. */
  readonly stream: () => AsyncIterable<Uint8Array>;
}

/** What a text of one byte a character may have at most, the longest string of V8: more would be read for nothing. */
export const longestText: number = 2 ** 29 - 24;

/** How many of the first bytes tell formats apart. */
export const headLength = 4096;

/** All bytes in one piece. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
