import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { Layout } from '@org/core';
import { HEADER_BYTES, MAGIC, SEEDS, VERSION } from '../../../src/journal/format.ts';
import { readJournal } from '../../../src/journal/reader.ts';
import { JournalWriter } from '../../../src/journal/writer.ts';
import { MemoryFiles } from './memoryFiles.ts';
import { growLayout, makeFrame } from './server.mjs';
import { toHex } from './values.ts';

/**
 * Writes a journal of two endpoints with marks and health snapshots. Returns its bytes and the offsets at which
 * the header and each append end.
 */
export function writeJournal(scrapes: number): { bytes: Buffer; ends: number[] } {
  const files = new MemoryFiles();
  const journal = JournalWriter.open('/journal', { scrapes }, { files });
  const layouts = [new Layout(), new Layout()];
  const ends = [HEADER_BYTES, journal.byteLength];
  const recordEnd = (): void => void ends.push(journal.byteLength);
  layouts.forEach((layout, index) => {
    journal.addEndpoint(index, { url: `http://host${index}/metrics`, configuredUrl: `host${index}` });
    recordEnd();
    growLayout(layout, 0);
  });
  for (let scrape = 0; scrape < scrapes; scrape++) {
    layouts.forEach((layout, index) => {
      growLayout(layout, scrape);
      journal.append(index, layout, makeFrame(layout, index, scrape));
      recordEnd();
    });
    if (scrape % 10 === 9) journal.addMark({ kind: 'note', atNs: BigInt(scrape) });
    if (scrape % 10 === 9) recordEnd();
    if (scrape % 10 === 4) journal.addHealth(1, { scrape });
    if (scrape % 10 === 4) recordEnd();
  }
  journal.end();
  recordEnd();
  return { bytes: files.bytes, ends: [...new Set(ends)] };
}

/** Formats each record with all its content as one line. */
export function formatRecords(journal: Uint8Array | string): string[] {
  return Array.from(readJournal(journal), record => {
    if (record.kind === 'frame') {
      const { timestampNs, latencyNs, changed, values } = record.frame;
      return `frame ${record.endpoint} ${timestampNs} ${latencyNs} ${changed} ${toHex(values)}`;
    }
    if (record.kind === 'series') return `series ${record.endpoint} ${record.layout.slotCount}`;
    return JSON.stringify(record, (key, value: unknown) =>
      key === 'layout' ? undefined : typeof value === 'bigint' ? `${value}n` : value,
    );
  });
}

export const header: Uint8Array = Uint8Array.of(...MAGIC, VERSION);

/** Returns a record with a valid checksum and arbitrary content. */
export function makeRecord(...payload: number[]): Uint8Array {
  const length: number[] = [];
  for (let remaining = payload.length; ; remaining >>>= 7) {
    length.push(remaining < 0x80 ? remaining : (remaining & 0x7f) | 0x80);
    if (remaining < 0x80) break;
  }
  const body = Uint8Array.from([...length, ...payload]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(body, SEEDS[VERSION]!));
  return Buffer.concat([checksum, body]);
}
