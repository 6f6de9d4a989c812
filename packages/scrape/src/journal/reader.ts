import { crc32 } from 'node:zlib';
import { Layout } from '@org/core';
import { fromJson } from './bigintJson.ts';
import { type ByteSource, openBytes, openFile } from './byteSource.ts';
import { ByteReader } from './byteStream.ts';
import {
  CorruptionError,
  HEADER_BYTES,
  JournalError,
  KIND,
  MAGIC,
  MAX_PAYLOAD_BYTES,
  VERSION,
} from './format.ts';
import { readFrame } from './frameReader.ts';
import { PreviousFrame } from './previousFrame.ts';
import type { JournalEndpoint, JournalMark, JournalRecord } from './record.ts';
import { readSeries } from './seriesRecord.ts';

/** Maximum size of a record head (checksum and length), in bytes. */
const MAX_HEAD_BYTES = 9;

/** Describes how a journal ends: after a complete record, within a record, or at a corrupted record. */
export interface JournalTail {
  /** Size of the valid part, in bytes. */
  readonly validBytes: number;
  /**
   * Size of the unreadable data after the valid part, in bytes; 0 if the file ends with a complete record.
   */
  readonly truncatedBytes: number;
  /**
   * `truncated`: the file ends within a record, because the writer was killed. `corrupted`: a record is
   * damaged, and all later data is lost.
   */
  readonly state: 'complete' | 'truncated' | 'corrupted';
  /** Describes the problem; empty if there is none. */
  readonly message: string;
}

/**
 * The records of a journal, in writing order, up to the first incomplete or damaged record.
 *
 * Each iteration reads the journal from the start. Memory use does not depend on the number of frames. An
 * iteration throws `JournalError` if the file is not a journal, and the system error of `node:fs` if the file
 * cannot be read. Any problem with a record ends the iteration and is reported in `tail`.
 */
export class JournalRecords implements Iterable<JournalRecord> {
  readonly #source: string | Uint8Array;
  #tail: JournalTail | undefined;

  constructor(source: string | Uint8Array) {
    this.#source = source;
  }

  /** The end of the journal; undefined until an iteration has been completed. */
  get tail(): JournalTail | undefined {
    return this.#tail;
  }

  *[Symbol.iterator](): Generator<JournalRecord, void, undefined> {
    this.#tail = undefined;
    const pathOrBytes = this.#source;
    const source = typeof pathOrBytes === 'string' ? openFile(pathOrBytes) : openBytes(pathOrBytes);
    try {
      const scanner = new JournalScanner(source, typeof pathOrBytes === 'string' ? pathOrBytes : 'in memory');
      for (let record = scanner.next(); record; record = scanner.next()) yield record;
      this.#tail = scanner.tail;
    } finally {
      source.close();
    }
  }
}

/** Returns the records of a journal. `source` is the path of the file or its bytes. */
export function readJournal(source: string | Uint8Array): JournalRecords {
  return new JournalRecords(source);
}

/** Reads the records of a journal one by one. */
class JournalScanner {
  readonly #source: ByteSource;
  readonly #endpoints = new Map<number, { readonly layout: Layout; readonly previous: PreviousFrame }>();
  #validBytes = 0;
  #state: JournalTail['state'] = 'complete';
  #message = '';

  constructor(source: ByteSource, name: string) {
    this.#source = source;
    const head = source.peek(HEADER_BYTES).subarray(0, HEADER_BYTES);
    if (!head.subarray(0, MAGIC.length).every((byte, at) => byte === MAGIC[at]))
      throw new JournalError(`cannot read the journal ${name}: it is not a Servelens journal`);
    if (head.length < HEADER_BYTES) {
      this.#state = 'truncated';
      this.#message = 'the file ends within its header';
      return;
    }
    const version = head[MAGIC.length]!;
    if (version !== VERSION)
      throw new JournalError(
        `cannot read the journal ${name}: unsupported version ${version}; expected ${VERSION}`,
      );
    this.#advance(HEADER_BYTES);
  }

  get tail(): JournalTail {
    const truncatedBytes = Math.max(0, this.#source.size - this.#validBytes);
    return { validBytes: this.#validBytes, truncatedBytes, state: this.#state, message: this.#message };
  }

  /** Returns the next record of a known kind; undefined at the end of the journal. */
  next(): JournalRecord | undefined {
    try {
      while (this.#state === 'complete') {
        const payload = this.#readPayload();
        if (!payload) return undefined;
        const record = this.#readRecord(new ByteReader(payload.bytes));
        this.#advance(payload.recordBytes);
        if (record) return record;
      }
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error;
      this.#state = 'corrupted';
      this.#message = `${error.message}, in the record at byte ${this.#validBytes}`;
    }
    return undefined;
  }

  #advance(count: number): void {
    this.#source.advance(count);
    this.#validBytes += count;
  }

  /**
   * Returns the payload and the size of the next record; undefined if there is no further complete record.
   */
  #readPayload(): { bytes: Uint8Array; recordBytes: number } | undefined {
    const head = this.#source.peek(MAX_HEAD_BYTES);
    if (head.length === 0) return undefined;
    const start = findLengthEnd(head);
    if (start === undefined) return this.#markTruncated();
    const size = new ByteReader(head.subarray(4, start)).readVarint();
    if (size === 0 || size > MAX_PAYLOAD_BYTES)
      throw new CorruptionError(`a record has the invalid length ${size}`);
    const recordBytes = start + size;
    const bytes = this.#source.peek(recordBytes).subarray(0, recordBytes);
    if (bytes.length < recordBytes) return this.#markTruncated();
    const checksum = bytes[0]! + bytes[1]! * 2 ** 8 + bytes[2]! * 2 ** 16 + bytes[3]! * 2 ** 24;
    if (crc32(bytes.subarray(4)) !== checksum) throw new CorruptionError('the checksum does not match');
    return { bytes: bytes.subarray(start), recordBytes };
  }

  #markTruncated(): undefined {
    this.#state = 'truncated';
    this.#message = `the file ends in the middle of the record at byte ${this.#validBytes}`;
  }

  #readRecord(reader: ByteReader): JournalRecord | undefined {
    const kind = reader.readByte();
    if (kind === KIND.run) return { kind: 'run', run: fromJson(reader.readText()) };
    if (kind === KIND.mark) return { kind: 'mark', mark: parseMark(fromJson(reader.readText())) };
    if (kind === KIND.gap) return { kind: 'gap', missedFrames: reader.readVarint() };
    if (kind === KIND.end) return { kind: 'end' };
    if (kind === KIND.endpoint) return this.#readEndpoint(reader);
    if (kind !== KIND.series && kind !== KIND.frame && kind !== KIND.health) return undefined;
    const endpoint = reader.readVarint();
    const state = this.#endpoints.get(endpoint);
    if (!state) throw new CorruptionError(`endpoint ${endpoint} is unknown`);
    const { layout, previous } = state;
    if (kind === KIND.health) return { kind: 'health', endpoint, health: fromJson(reader.readText()) };
    if (kind === KIND.frame)
      return { kind: 'frame', endpoint, layout, frame: readFrame(reader, previous, layout.slotCount) };
    readSeries(reader, layout);
    return { kind: 'series', endpoint, layout };
  }

  #readEndpoint(reader: ByteReader): JournalRecord {
    const endpoint = reader.readVarint();
    const info = parseEndpoint(fromJson(reader.readText()));
    const state = this.#endpoints.get(endpoint) ?? { layout: new Layout(), previous: new PreviousFrame() };
    this.#endpoints.set(endpoint, state);
    return { kind: 'endpoint', endpoint, layout: state.layout, info };
  }
}

/** Returns the offset after the length field of a record; undefined if the field is incomplete. */
function findLengthEnd(head: Uint8Array): number | undefined {
  for (let at = 4; at < Math.min(head.length, MAX_HEAD_BYTES); at++) if (head[at]! < 0x80) return at + 1;
  if (head.length >= MAX_HEAD_BYTES) throw new CorruptionError('the length field is too long');
  return undefined;
}

function parseMark(json: unknown): JournalMark {
  const { kind, atNs, data } = toObject(json, 'a mark');
  if (typeof kind !== 'string' || typeof atNs !== 'string' || !/^-?\d{1,40}$/.test(atNs))
    throw new CorruptionError('a mark has no kind or no time');
  const mark = { kind, atNs: BigInt(atNs) };
  return data === undefined ? mark : { ...mark, data };
}

function parseEndpoint(json: unknown): JournalEndpoint {
  const { url, configuredUrl } = toObject(json, 'an endpoint');
  if (typeof url !== 'string' || typeof configuredUrl !== 'string')
    throw new CorruptionError('an endpoint has no URL');
  return { url, configuredUrl };
}

function toObject(json: unknown, subject: string): Record<string, unknown> {
  if (typeof json !== 'object' || json === null) throw new CorruptionError(`${subject} is not an object`);
  return json as Record<string, unknown>;
}
