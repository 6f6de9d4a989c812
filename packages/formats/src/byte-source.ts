/** Where bytes come from, and the first of them. */
export interface Source {
  /** Path or URL; undefined for text and bytes. */
  readonly name: string | undefined;
  /** The path, where it is a file. */
  readonly file: string | undefined;
  /** The path, where it is a folder, which has no bytes. */
  readonly folder?: string;
  /** The first bytes: enough to tell formats apart. */
  readonly head: Uint8Array;
  /** All bytes. */
  readonly bytes: () => Promise<Uint8Array>;
  /** All bytes, piece by piece. */
  readonly stream: () => AsyncIterable<Uint8Array>;
}

/** How many of the first bytes tell formats apart. */
export const headLength = 4096;
