import { expect, test } from 'vitest';
import { PendingNotes } from '../../src/journal/pendingNotes.ts';

/** A file to which notes are flushed, one byte per note. */
class File {
  readonly bytes: number[] = [];
  readonly write = (record: Uint8Array): number => this.bytes.push(...record);
}

const createNote = (id: number): Uint8Array => Uint8Array.of(id);

test('writes each note once', () => {
  const [notes, file] = [new PendingNotes(), new File()];
  notes.add(createNote(1));
  notes.flush(file.write);
  notes.add(createNote(2));
  notes.flush(file.write);
  expect(file.bytes).toEqual([1, 2]);
});

test('replaces a note with the same key', () => {
  const [notes, file] = [new PendingNotes(), new File()];
  notes.add(createNote(1), 'health 0');
  notes.add(createNote(2), 'health 1');
  notes.add(createNote(3), 'health 0');
  notes.flush(file.write);
  expect(file.bytes).toEqual([2, 3]);
});

test('rewrites notes that were not synced before a rewind', () => {
  const [notes, lostFile, file] = [new PendingNotes(), new File(), new File()];
  notes.add(createNote(1));
  notes.add(createNote(2));
  notes.flush(lostFile.write);
  notes.markSynced(1);
  notes.rewind();
  notes.flush(file.write);
  expect(file.bytes).toEqual([2]);
});
