/** A record that is not part of the preamble and must not be lost: a mark, or the health of an endpoint. */
interface Note {
  /** Identifies the note: a new note replaces an earlier one with the same key. */
  readonly key: string | undefined;
  readonly record: Uint8Array;
  /** End position of the record in the file; undefined if the record is not in the file. */
  end: number | undefined;
}

/** The notes of a journal that are not known to be on disk, in writing order. */
export class PendingNotes {
  #notes: Note[] = [];

  /** Adds a complete record, replacing an earlier one with the same key. */
  add(record: Uint8Array, key?: string): void {
    if (key !== undefined) this.#notes = this.#notes.filter(note => note.key !== key);
    this.#notes.push({ key, record, end: undefined });
  }

  /**
   * Calls `write` for each note that is not in the file. `write` must return the end position of the record.
   */
  flush(write: (record: Uint8Array) => number): void {
    for (const note of this.#notes) note.end ??= write(note.record);
  }

  /** Drops the notes within the first `length` bytes of the file, which have been synced to disk. */
  markSynced(length: number): void {
    this.#notes = this.#notes.filter(({ end }) => end === undefined || end > length);
  }

  /** Marks all notes as missing from the file, because data that was not synced may be lost. */
  rewind(): void {
    for (const note of this.#notes) note.end = undefined;
  }
}
