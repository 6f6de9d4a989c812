import { expect, test } from 'vitest';
import { RecordFile, WriteError } from '../../src/journal/recordFile.ts';
import { MemoryFiles } from './support/memoryFiles.ts';

function createFile(): { file: RecordFile; files: MemoryFiles } {
  const files = new MemoryFiles();
  const file = new RecordFile('/journal', files);
  file.create();
  return { file, files };
}

const toRecord = (text: string): Uint8Array => Buffer.from(text);

test('appends records, in several writes if necessary', () => {
  const { file, files } = createFile();
  files.maxWriteBytes = 2;
  file.append(toRecord('abcde'));
  file.append(toRecord('fg'));
  expect(files.bytes.toString()).toBe('abcdefg');
  expect(file.length).toBe(7);
});

test('reports the error of the file system as a WriteError', () => {
  const files = new MemoryFiles();
  files.failing.set('create', 'EACCES');
  const file = new RecordFile('/journal', files);
  expect(() => file.create()).toThrow(WriteError);
  expect(() => file.create()).toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ code: 'EACCES' }) }),
  );
  expect(file.isOpen).toBe(false);
});

test('truncates a partial record before the next one', () => {
  const { file, files } = createFile();
  file.append(toRecord('abc'));
  files.capacity = 5;
  expect(() => file.append(toRecord('defg'))).toThrow(WriteError);
  expect(files.bytes.toString()).toBe('abcde');
  expect(file.length).toBe(3);
  files.capacity = 100;
  file.append(toRecord('hi'));
  expect(files.bytes.toString()).toBe('abchi');
});

test('throws for a failure to truncate only when the next record is appended', () => {
  const { file, files } = createFile();
  files.capacity = 1;
  expect(() => file.append(toRecord('ab'))).toThrow(WriteError);
  files.failing.set('truncate', 'EIO');
  expect(() => file.truncatePartial()).not.toThrow();
  files.capacity = 100;
  expect(() => file.append(toRecord('cd'))).toThrow(WriteError);
  files.failing.clear();
  file.append(toRecord('cd'));
  expect(files.bytes.toString()).toBe('cd');
});

test('rewinds to the synced length', async () => {
  const { file, files } = createFile();
  file.append(toRecord('ab'));
  expect(await file.sync()).toBe(2);
  file.append(toRecord('cd'));
  expect(file.isSynced).toBe(false);
  file.rewind();
  expect([file.length, file.isSynced]).toEqual([2, true]);
  file.append(toRecord('ef'));
  expect(files.bytes.toString()).toBe('abef');
  expect(files.calls.filter(call => call === 'syncFolder')).toHaveLength(1);
});

test('removes only a file that it created', async () => {
  const { file, files } = createFile();
  await file.close();
  await file.close();
  file.remove();
  expect(files.exists).toBe(false);
  const otherFiles = new MemoryFiles();
  new RecordFile('/journal', otherFiles).remove();
  expect(otherFiles.calls).toEqual([]);
});
