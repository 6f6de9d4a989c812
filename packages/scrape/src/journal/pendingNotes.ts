/** A record that is written once and not repeated later: a mark, or the health of an endpoint. */
interface Note {
  /** A note replaces earlier ones with the same key. */
  readonly key: string | undefined;
  readonly record: Uint8Array;
  /** Its end position in the file; undefined if it is not in the file. */
  end: number | undefined;
}

/** Keeps the notes of a journal, in order, until they are known to be on disk. */
export class PendingNotes {
  #notes: Note[] = [];

  /** Adds a sealed record, replacing an earlier one with the same key. */
  add(record: Uint8Array, key?: string): void {
    if (key !== undefined) this.#notes = this.#notes.filter(note => note.key !== key);
    this.#notes.push({ key, record, end: undefined });
  }

  /** Calls `write` with each note that is not in the file. `write` returns the end position of the note. */
  flush(write: (record: Uint8Array) => number): void {
    for (const note of this.#notes) note.end ??= write(note.record);
  }

  /** Drops the notes within the first `length` bytes, which are on disk. */
  markSynced(length: number): void {
    this.#notes = this.#notes.filter(({ end }) => end === undefined || end > length);
  }

  /** Marks all notes as missing from the file, which has lost all data that was not synced. */
  rewind(): void {
    for (const note of this.#notes) note.end = undefined;
  }
}
