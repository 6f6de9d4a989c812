/** A record that is written once and that later ones do not repeat: a mark, the health of an endpoint. */
interface Note {
  /** PendingNotes of one key replace each other. */
  readonly key: string | undefined;
  readonly record: Uint8Array;
  /** Where it ends in the file; undefined while it is not there. */
  end: number | undefined;
}

/** The notes of a journal until they are known to be on the disk, in the order in which they came. */
export class PendingNotes {
  #notes: Note[] = [];

  /** Adds a sealed record; an older one of its key no longer counts. */
  add(record: Uint8Array, key?: string): void {
    if (key !== undefined) this.#notes = this.#notes.filter(note => note.key !== key);
    this.#notes.push({ key, record, end: undefined });
  }

  /** Calls `write` with each note that is not in the file; it returns where the note ends. */
  flush(write: (record: Uint8Array) => number): void {
    for (const note of this.#notes) note.end ??= write(note.record);
  }

  /** The file is on the disk up to `length`: notes that end there are done with. */
  markSynced(length: number): void {
    this.#notes = this.#notes.filter(({ end }) => end === undefined || end > length);
  }

  /** The file has lost all that is not known to be on the disk. */
  rewind(): void {
    for (const note of this.#notes) note.end = undefined;
  }
}
