import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JournalError } from '../../src/journal/format.ts';
import { readJournal } from '../../src/journal/reader.ts';
import { formatRecords, header, makeRecord, writeJournal } from './support/journals.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'servelens-journal-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function readTail(journal: Uint8Array | string) {
  const reading = readJournal(journal);
  for (const _ of reading);
  return reading.tail!;
}

describe('a truncated journal', () => {
  const { bytes, ends } = writeJournal(40);
  const expectedLines = formatRecords(bytes);
  /** Returns the number of complete records in `length` bytes, and the end of the last complete record. */
  const countCompleteRecords = (length: number): { count: number; end: number } => {
    const count = ends.filter(end => end <= length).length;
    return { count, end: ends[count - 1] ?? 0 };
  };

  it('has more than 6000 bytes before it is truncated', () => {
    expect(bytes.length).toBeGreaterThan(6000);
    expect(readTail(bytes)).toEqual({
      validBytes: bytes.length,
      truncatedBytes: 0,
      state: 'complete',
      message: '',
    });
  });

  it.each([
    ['in its last 4 KB', bytes.length - 4096, bytes.length - 1],
    ['in its first bytes', 0, 300],
  ])('yields exactly the complete records when truncated %s', (_, from, to) => {
    const path = join(folder, 'cut.journal');
    writeFileSync(path, bytes);
    truncateSync(path, to + 1);
    for (let length = to; length >= from; length--) {
      truncateSync(path, length);
      const { count, end } = countCompleteRecords(length);
      const tail = readTail(path);
      const endsAtRecord = end === length && length > 0;
      expect(tail).toMatchObject({
        validBytes: end,
        truncatedBytes: length - end,
        state: endsAtRecord ? 'complete' : 'truncated',
      });
      // One append may write series records as well, so there are more records than appends.
      if (length % 64 === 0 || endsAtRecord) {
        const read = formatRecords(path);
        expect(read).toEqual(expectedLines.slice(0, read.length));
        expect(read.length).toBe(formatRecords(bytes.subarray(0, end)).length);
        if (count === 0) expect(read).toEqual([]);
      }
    }
  });
});

describe('a damaged journal', () => {
  const { bytes } = writeJournal(5);
  const expectedLines = formatRecords(bytes);

  it('reports where the damage is and what it costs', () => {
    const damaged = Buffer.from(bytes);
    damaged.fill(0xa5, bytes.length - 20, bytes.length - 10);
    const { state, message, validBytes, truncatedBytes, damage } = readTail(damaged);
    expect(state).toBe('corrupted');
    expect(message).toMatch(
      /^the checksum does not match, in the record at byte \d+; \d+ bytes in 1 place are unreadable$/,
    );
    expect(validBytes + truncatedBytes).toBe(bytes.length);
    expect(damage).toMatchObject({ unreadablePlaces: 1, repairedRecords: 0 });
  });

  it.each([1, 4, 5, 9, 100, 70_000])(
    'with %d trailing zeros, as after a power failure, is read up to the zeros',
    zeroCount => {
      const longer = Buffer.concat([bytes, Buffer.alloc(zeroCount)]);
      expect(formatRecords(longer)).toEqual(expectedLines);
      expect(readTail(longer)).toMatchObject({ validBytes: bytes.length, truncatedBytes: zeroCount });
    },
  );

  it('with arbitrary changes does not crash the reader', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 }), payloads => {
        const records = payloads.filter(({ length }) => length > 0).map(payload => makeRecord(...payload));
        const journal = Buffer.concat([header, ...records]);
        const tail = readTail(journal);
        expect(tail.validBytes + tail.truncatedBytes).toBe(journal.length);
        readTail(Buffer.concat([header, ...payloads]));
      }),
      { numRuns: 1000 },
    );
  });

  it('with arbitrary trailing bytes does not crash the reader', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.uint8Array({ maxLength: 80 }), (kind, payload) => {
        const journal = Buffer.concat([bytes, makeRecord(kind, 0, ...payload)]);
        expect(formatRecords(journal).slice(0, expectedLines.length)).toEqual(expectedLines);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a hostile journal', () => {
  const endpoint = makeRecord(2, 0, 2 * 30, ...Buffer.from('{"url":"u","configuredUrl":""}'));

  it.each<[string, Uint8Array[], string]>([
    ['a length of 0', [Buffer.from([0, 0, 0, 0, 0])], 'a record has the invalid length 0'],
    [
      'a length of 30 GB',
      [Buffer.from([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x7f, 0])],
      'a record has the invalid length 34359738367',
    ],
    ['an endless length', [Buffer.alloc(20, 0xff)], 'the length field is too long'],
    ['frames of an unknown endpoint', [makeRecord(4, 9, 0, 0)], 'endpoint 9 is unknown'],
    ['an endpoint without URL', [makeRecord(2, 0, 4, 0x7b, 0x7d)], 'an endpoint has no URL'],
    ['a mark that is null', [makeRecord(5, 8, ...Buffer.from('null'))], 'a mark is not an object'],
    [
      'a mark without time',
      [makeRecord(5, 2 * 12, ...Buffer.from('{"kind":"a"}'))],
      'a mark has no kind or no time',
    ],
    ['a run that is not JSON', [makeRecord(1, 2, 0x7b)], 'a record has invalid JSON'],
    ['a record without content', [endpoint, makeRecord(4)], 'a record ends too early'],
    [
      'more values than series',
      [endpoint, makeRecord(4, 0, 0, 6, 3, 0, 0)],
      'a frame has 3 values for 0 slots',
    ],
    ['a text of 4 GB', [endpoint, makeRecord(6, 0, 0xff, 0xff, 0xff, 0xff, 0x1f)], 'a record ends too early'],
  ])('is read except for %s', (_, records, message) => {
    const journal = Buffer.concat([header, ...records, makeRecord(8)]);
    expect(Array.from(readJournal(journal), ({ kind }) => kind).at(-1)).toBe('end');
    const tail = readTail(journal);
    expect(tail.state).toBe('corrupted');
    expect(tail.message).toContain(message);
    expect(tail.validBytes).toBe(journal.length);
  });

  it('does not allocate memory for a length of 1 GB', () => {
    const path = join(folder, 'long.journal');
    writeFileSync(path, Buffer.concat([header, Buffer.from([1, 2, 3, 4, 0x80, 0x80, 0x80, 0x80, 0x04, 1])]));
    const bytesBefore = process.memoryUsage().arrayBuffers;
    expect(readTail(path)).toMatchObject({ state: 'truncated', truncatedBytes: 10 });
    expect(process.memoryUsage().arrayBuffers - bytesBefore).toBeLessThan(1 << 20);
  });

  it('skips unknown record kinds', () => {
    const journal = Buffer.concat([
      header,
      makeRecord(9),
      makeRecord(200, 1, 2, 3),
      endpoint,
      makeRecord(0),
      makeRecord(8),
    ]);
    expect(Array.from(readJournal(journal), ({ kind }) => kind)).toEqual(['endpoint', 'end']);
    expect(readTail(journal).state).toBe('complete');
  });
});

describe('a file that is not a journal', () => {
  it.each<[string, Uint8Array, string]>([
    ['text', Buffer.from('# HELP a b\n'), 'it is not a Servelens journal'],
    [
      'a journal that was transferred in text mode',
      Buffer.from([0x89, 0x53, 0x4c, 0x4a, 0x0a, 0x1a, 0x0a, 1, 0]),
      'it is not a Servelens journal',
    ],
    [
      'a journal of a later version',
      Uint8Array.of(...header.slice(0, -1), 3, 0xc9, 0xb1, 0x4b, 0x66, 1, 8),
      'unsupported version 3; expected at most 2',
    ],
  ])('is rejected: %s', (_, bytes, message) => {
    const path = join(folder, 'other.journal');
    writeFileSync(path, bytes);
    expect(() => readTail(bytes)).toThrow(JournalError);
    expect(() => readTail(path)).toThrow(`cannot read the journal ${path}: ${message}`);
  });

  it('throws the error of the file system for a missing file', () => {
    expect(() => readTail(join(folder, 'none'))).toThrow('ENOENT');
  });
});

it('a journal can be iterated again, and partially', () => {
  const { bytes } = writeJournal(5);
  const path = join(folder, 'again.journal');
  writeFileSync(path, bytes);
  const reading = readJournal(path);
  expect([...reading]).toHaveLength([...reading].length);
  for (const record of reading) if (record.kind === 'frame') break;
  expect(reading.tail).toBeUndefined();
});

it('reads a file that is larger than the read buffer like bytes in memory', () => {
  const { bytes } = writeJournal(800);
  expect(bytes.length).toBeGreaterThan(2 * 65_536);
  const path = join(folder, 'large.journal');
  writeFileSync(path, bytes);
  expect(formatRecords(path)).toEqual(formatRecords(bytes));
});
