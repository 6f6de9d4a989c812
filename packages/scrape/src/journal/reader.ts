import { crc32 } from 'node:zlib';
import { Layout } from '@org/core';
import { fromJson } from './bigintJson.ts';
import { openBytes, openFile, type Source } from './byteSource.ts';
import { ByteReader } from './byteStream.ts';
import { CorruptionError, JournalError } from './errors.ts';
import { HEADER_BYTES, KIND, MAGIC, MAX_PAYLOAD_BYTES, VERSION } from './format.ts';
import { readFrame } from './frameReader.ts';
import { PreviousFrame } from './previousFrame.ts';
import type { JournalEndpoint, JournalMark, JournalRecord } from './record.ts';
import { readSeries } from './seriesRecord.ts';

/** Longest head of a record: checksum and length. */
const MAX_HEAD_BYTES = 9;

/** Where a journal ends, for its reader. */
export interface JournalTail {
  /** Bytes of all that was read. */
  readonly validBytes: number;
  /** Bytes behind it, which could not be read; 0 when the file ends with a whole record. */
  readonly truncatedBytes: number;
  /**
   * `cut`: the file ends in the middle of a record, as it does when its writer is killed. `damaged`: a record
   * is not what was written, and what may follow it is lost.
   */
  readonly state: 'whole' | 'cut' | 'damaged';
  /** What is wrong, for people; empty when nothing is. */
  readonly message: string;
}

/**
 * The records of a journal, in the order in which they were written, up to the first that is not whole.
 *
 * Each iteration reads from the beginning, in constant memory but for the layouts. It throws `JournalError` for a file that is no
 * journal, and the error of `node:fs` for one that cannot be read; whatever is wrong behind the file's first bytes only ends
 * it, and stands in `tail`.
 */
export class JournalReading implements Iterable<JournalRecord> {
  readonly #source: string | Uint8Array;
  #tail: JournalTail | undefined;

  constructor(source: string | Uint8Array) {
    this.#source = source;
  }

  /** Where the previous iteration ended; undefined before one has got to the end. */
  get tail(): JournalTail | undefined {
    return this.#tail;
  }

  *[Symbol.iterator](): Generator<JournalRecord, void, undefined> {
    this.#tail = undefined;
    const from = this.#source;
    const source = typeof from === 'string' ? openFile(from) : openBytes(from);
    try {
      const scanner = new JournalScanner(source, typeof from === 'string' ? from : 'of these bytes');
      for (let record = scanner.next(); record; record = scanner.next()) yield record;
      this.#tail = scanner.tail;
    } finally {
      source.close();
    }
  }
}

/** Reads a journal: a file, or the bytes of one. */
export function readJournal(source: string | Uint8Array): JournalReading {
  return new JournalReading(source);
}

class JournalScanner {
  readonly #source: Source;
  readonly #endpoints = new Map<number, { readonly layout: Layout; readonly previous: PreviousFrame }>();
  #valid = 0;
  #state: JournalTail['state'] = 'whole';
  #message = '';

  constructor(source: Source, name: string) {
    this.#source = source;
    const head = source.peek(HEADER_BYTES).subarray(0, HEADER_BYTES);
    if (!head.subarray(0, MAGIC.length).every((byte, at) => byte === MAGIC[at]))
      throw new JournalError(`cannot read the journal ${name}: it is not a Servelens journal`);
    if (head.length < HEADER_BYTES) {
      this.#state = 'cut';
      this.#message = 'the file ends within its header';
      return;
    }
    const version = head[MAGIC.length]!;
    if (version !== VERSION)
      throw new JournalError(
        `cannot read the journal ${name}: it is of version ${version}; ${VERSION} is accepted`,
      );
    this.#advance(HEADER_BYTES);
  }

  get tail(): JournalTail {
    const truncatedBytes = Math.max(0, this.#source.size - this.#valid);
    return { validBytes: this.#valid, truncatedBytes, state: this.#state, message: this.#message };
  }

  /** The next record that means something to us; undefined at the end. */
  next(): JournalRecord | undefined {
    try {
      while (this.#state === 'whole') {
        const payload = this.#payload();
        if (!payload) return undefined;
        const record = this.#record(new ByteReader(payload.bytes));
        this.#advance(payload.end);
        if (record) return record;
      }
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error;
      this.#state = 'damaged';
      this.#message = `${error.message}, in the record at byte ${this.#valid}`;
    }
    return undefined;
  }

  #advance(count: number): void {
    this.#source.advance(count);
    this.#valid += count;
  }

  /** The payload of the record that comes next, and where in the bytes ahead it ends; undefined when the file ends before that. */
  #payload(): { bytes: Uint8Array; end: number } | undefined {
    const head = this.#source.peek(MAX_HEAD_BYTES);
    if (head.length === 0) return undefined;
    const start = findLengthEnd(head);
    if (start === undefined) return this.#markTruncated();
    const size = new ByteReader(head.subarray(4, start)).varint();
    if (size === 0 || size > MAX_PAYLOAD_BYTES)
      throw new CorruptionError(`the length ${size} is not one of a record`);
    const end = start + size;
    const bytes = this.#source.peek(end).subarray(0, end);
    if (bytes.length < end) return this.#markTruncated();
    const checksum = bytes[0]! + bytes[1]! * 2 ** 8 + bytes[2]! * 2 ** 16 + bytes[3]! * 2 ** 24;
    if (crc32(bytes.subarray(4)) !== checksum) throw new CorruptionError('the checksum does not match');
    return { bytes: bytes.subarray(start), end };
  }

  #markTruncated(): undefined {
    this.#state = 'cut';
    this.#message = `the file ends in the middle of the record at byte ${this.#valid}`;
  }

  #record(reader: ByteReader): JournalRecord | undefined {
    const kind = reader.byte();
    if (kind === KIND.run) return { kind: 'run', run: fromJson(reader.text()) };
    if (kind === KIND.mark) return { kind: 'mark', mark: parseMark(fromJson(reader.text())) };
    if (kind === KIND.gap) return { kind: 'gap', missedFrames: reader.varint() };
    if (kind === KIND.end) return { kind: 'end' };
    if (kind === KIND.endpoint) return this.#readEndpoint(reader);
    if (kind !== KIND.series && kind !== KIND.frame && kind !== KIND.health) return undefined;
    const endpoint = reader.varint();
    const known = this.#endpoints.get(endpoint);
    if (!known) throw new CorruptionError(`endpoint ${endpoint} has not been introduced`);
    const { layout, previous } = known;
    if (kind === KIND.health) return { kind: 'health', endpoint, health: fromJson(reader.text()) };
    if (kind === KIND.frame)
      return { kind: 'frame', endpoint, layout, frame: readFrame(reader, previous, layout.slotCount) };
    readSeries(reader, layout);
    return { kind: 'series', endpoint, layout };
  }

  #readEndpoint(reader: ByteReader): JournalRecord {
    const endpoint = reader.varint();
    const info = parseEndpoint(fromJson(reader.text()));
    const known = this.#endpoints.get(endpoint) ?? { layout: new Layout(), previous: new PreviousFrame() };
    this.#endpoints.set(endpoint, known);
    return { kind: 'endpoint', endpoint, layout: known.layout, info };
  }
}

/** Where the length of a record ends, from the record's beginning; undefined when it is not all there. */
function findLengthEnd(head: Uint8Array): number | undefined {
  for (let at = 4; at < Math.min(head.length, MAX_HEAD_BYTES); at++) if (head[at]! < 0x80) return at + 1;
  if (head.length >= MAX_HEAD_BYTES) throw new CorruptionError('the length is too long for a record');
  return undefined;
}

function parseMark(json: unknown): JournalMark {
  const { kind, atNs, data } = toObject(json, 'a mark');
  if (typeof kind !== 'string' || typeof atNs !== 'string' || !/^-?\d{1,40}$/.test(atNs))
    throw new CorruptionError('a mark lacks its kind or its time');
  const mark = { kind, atNs: BigInt(atNs) };
  return data === undefined ? mark : { ...mark, data };
}

function parseEndpoint(json: unknown): JournalEndpoint {
  const { url, configuredUrl } = toObject(json, 'an endpoint');
  if (typeof url !== 'string' || typeof configuredUrl !== 'string')
    throw new CorruptionError('an endpoint lacks one of its URLs');
  return { url, configuredUrl };
}

function toObject(json: unknown, what: string): Record<string, unknown> {
  if (typeof json !== 'object' || json === null) throw new CorruptionError(`${what} is no object`);
  return json as Record<string, unknown>;
}
