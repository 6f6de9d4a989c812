import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalDamage } from '../../src/journal/damage.ts';
import { HEADER_BYTES } from '../../src/journal/format.ts';
import { readJournal } from '../../src/journal/reader.ts';
import { formatRecords, writeJournal } from './support/journals.ts';

const FILES = join(import.meta.dirname, 'files');
const version1 = readFileSync(join(FILES, 'version1.journal'));
const version2 = writeJournal(12).bytes;

/** Reads a journal. Returns its records as lines, and the damage. */
function read(journal: Uint8Array): { lines: string[]; damage: JournalDamage | undefined } {
  const reading = readJournal(journal);
  for (const _ of reading);
  return { lines: formatRecords(journal), damage: reading.tail!.damage };
}

const isFrame = (line: string): boolean => line.startsWith('frame ');

/** Returns the lines that are not in `lines`. Expects that `lines` is a subsequence of `all`. */
function findLost(all: readonly string[], lines: readonly string[]): string[] {
  let at = 0;
  const lost = all.filter(line => {
    if (line === lines[at]) at++;
    else return true;
    return false;
  });
  expect(at, 'the journal must not yield records that were not written').toBe(lines.length);
  return lost;
}

it('reads a journal of version 1', () => {
  const text = readFileSync(join(FILES, 'version1.txt'), 'utf8');
  expect(read(version1)).toEqual({ lines: text.trimEnd().split('\n'), damage: undefined });
});

describe.each([
  ['1', version1],
  ['2', version2],
])('a journal of version %s', (_, journal) => {
  const all = formatRecords(journal);

  it('loses no record if any single byte is changed, and reports the repair', () => {
    for (let offset = 0; offset < journal.length; offset++) {
      const damaged = Buffer.from(journal);
      damaged[offset]! ^= 1 + (offset % 255);
      const { lines, damage } = read(damaged);
      expect(lines, `byte ${offset}`).toEqual(all);
      expect(damage, `byte ${offset}`).toMatchObject({
        repairedRecords: 1,
        unreadablePlaces: 0,
        lostFrames: 0,
      });
    }
  });

  it('loses no record if any single bit is changed', () => {
    for (let offset = 0; offset < journal.length; offset += 3) {
      const damaged = Buffer.from(journal);
      damaged[offset]! ^= 1 << (offset % 8);
      expect(read(damaged).lines, `byte ${offset}`).toEqual(all);
    }
  });
});

describe('a journal with unreadable data', () => {
  const { bytes, ends } = writeJournal(60);
  const all = formatRecords(bytes);

  it('loses only the damaged records and the scrapes that depend on them, and reports their number', () => {
    for (let record = 1; record < ends.length - 2; record++) {
      const damaged = Buffer.from(bytes);
      damaged.fill(0x5a, ends[record]! + 3, Math.min(ends[record]! + 20, ends[record + 1]!));
      const { lines, damage } = read(damaged);
      const lost = findLost(all, lines);
      const isLastFrame = lost.filter(isFrame).length > damage!.lostFrames;
      expect(damage, `record ${record}`).toMatchObject({
        unreadablePlaces: expect.any(Number),
        repairedRecords: 0,
      });
      expect(damage!.unreadablePlaces).toBeGreaterThan(0);
      // A scrape is only known to be lost if a later scrape of the endpoint exists.
      expect(lost.filter(isFrame).length - damage!.lostFrames).toBe(isLastFrame ? 1 : 0);
    }
  });

  it('loses the scrapes of one endpoint up to its next self-contained scrape if a scrape is damaged', () => {
    const long = writeJournal(400);
    const lines = formatRecords(long.bytes);
    const damaged = Buffer.from(long.bytes);
    // The kind follows the checksum and a length of one byte.
    const at = long.ends.find(
      (end, n) => n > 200 && long.bytes[end + 4]! < 0x80 && long.bytes[end + 5] === 4,
    )!;
    damaged.fill(0, at + 2, at + 12);
    const lost = findLost(lines, read(damaged).lines);
    expect(new Set(lost.map(line => line.split(' ')[1])).size).toBe(1);
    expect(lost.length).toBeLessThan(60);
    expect(lost.length).toBe(read(damaged).damage!.lostFrames);
  });

  it('counts the scrapes that large damage costs', () => {
    const long = writeJournal(400);
    const lines = formatRecords(long.bytes);
    const damaged = Buffer.from(long.bytes);
    const at = long.ends[long.ends.length >> 1]!;
    damaged.fill(0, at + 2, at + 3000);
    const { lines: readLines, damage } = read(damaged);
    expect(damage!.unreadableBytes).toBeGreaterThan(2900);
    expect(damage!.lostFrames).toBe(findLost(lines, readLines).filter(isFrame).length);
  });

  it('counts the scrapes that are missing without a trace, and scrapes before the first readable one', () => {
    const long = writeJournal(60);
    const lines = formatRecords(long.bytes);
    for (const [first, count] of [
      [4, 1],
      [20, 1],
      [20, 9],
      [60, 4],
    ] as const) {
      const from = long.ends[first]!;
      const to = long.ends[first + count]!;
      const { lines: readLines, damage } = read(
        Buffer.concat([long.bytes.subarray(0, from), long.bytes.subarray(to)]),
      );
      const lost = findLost(lines, readLines).filter(isFrame);
      expect(lost.length, `${count} records after record ${first}`).toBeGreaterThan(0);
      expect(damage?.lostFrames, `${count} records after record ${first}`).toBe(lost.length);
    }
    const start = Buffer.from(long.bytes);
    start.fill(0, long.ends[4]! + 2, long.ends[5]! - 1);
    const { lines: readLines, damage } = read(start);
    expect(damage?.lostFrames).toBe(findLost(lines, readLines).filter(isFrame).length);
  });

  /** Changes of a journal that are not limited to one byte. */
  const changes: Record<string, (random: (limit: number) => number) => Uint8Array> = {
    overwritten(random) {
      const damaged = Buffer.from(bytes);
      const at = HEADER_BYTES + random(bytes.length - HEADER_BYTES);
      for (let n = random(200) + 2; n > 0; n--) damaged[Math.min(at + n, bytes.length - 1)] = random(256);
      return damaged;
    },
    deleted(random) {
      const at = HEADER_BYTES + random(bytes.length - HEADER_BYTES);
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(300))]);
    },
    inserted(random) {
      const at = HEADER_BYTES + random(bytes.length - HEADER_BYTES);
      const added = Uint8Array.from({ length: 1 + random(100) }, () => random(256));
      return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
    },
    'repeated block': random => {
      const from = HEADER_BYTES + random(bytes.length - HEADER_BYTES);
      const to = Math.min(bytes.length, from + 1 + random(2000));
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from, to), bytes.subarray(to)]);
    },
    'repeated records': random => {
      const first = 2 + random(ends.length - 3);
      const last = Math.min(ends.length - 1, first + 1 + random(20));
      const block = bytes.subarray(ends[first]!, ends[last]!);
      return Buffer.concat([bytes.subarray(0, ends[last]!), block, bytes.subarray(ends[last]!)]);
    },
    truncated: random => bytes.subarray(0, HEADER_BYTES + random(bytes.length - HEADER_BYTES)),
  };

  it.each(Object.entries(changes))('yields only scrapes that were written if data is %s', (_, change) => {
    const frames = all.filter(isFrame);
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        stream => {
          const random = (limit: number): number => Math.floor(stream.next().value * limit);
          const { lines, damage } = read(change(random));
          const lost = findLost(frames, lines.filter(isFrame));
          expect(lost.length).toBeGreaterThanOrEqual(damage?.lostFrames ?? 0);
        },
      ),
      { numRuns: 300 },
    );
  });
});
