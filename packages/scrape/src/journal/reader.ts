import { Layout } from '@org/core';
import { fromJson } from './bigintJson.ts';
import { openBytes, openFile } from './byteSource.ts';
import { ByteReader } from './byteStream.ts';
import { DamageLog, type JournalDamage } from './damage.ts';
import { CorruptionError, KIND } from './format.ts';
import { FrameChain } from './frameChain.ts';
import type { JournalEndpoint, JournalMark, JournalRecord } from './record.ts';
import { RecordScanner, type ScannedRecord } from './recordScanner.ts';
import { readSeries } from './seriesRecord.ts';

/** Describes how a journal ends, and its damage. */
export interface JournalTail {
  /** End of the last readable record, in bytes. */
  readonly validBytes: number;
  /** Size of the data after the last readable record, in bytes; 0 if the file ends with a readable record. */
  readonly truncatedBytes: number;
  /**
   * `truncated`: the file ends within a record, because the writer was killed; everything before it is
   * readable. `corrupted`: data is lost because the file is damaged.
   */
  readonly state: 'complete' | 'truncated' | 'corrupted';
  /** Describes the problem; empty if there is none. */
  readonly message: string;
  /** The damage; absent if there is none. A single wrong byte of a record is corrected, and costs nothing. */
  readonly damage?: JournalDamage;
}

/**
 * The readable records of a journal, in writing order. A damaged record does not affect the records after it,
 * except for the frames that are encoded as a difference from a lost frame, or that have values of lost series.
 *
 * Each iteration reads the journal from the start. Memory use does not depend on the number of frames. An
 * iteration throws `JournalError` if the file is not a journal, and the system error of `node:fs` if the file
 * cannot be read. Any problem with a record is reported in `tail`.
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
      const damage = new DamageLog();
      const name = typeof pathOrBytes === 'string' ? pathOrBytes : 'in memory';
      const scanner = new RecordScanner(source, name, damage);
      yield* new RecordDecoder(scanner, damage).decode();
      this.#tail = describeTail(scanner, damage, source.size);
    } finally {
      source.close();
    }
  }
}

/** Describes the end of a journal of `size` bytes. */
export function describeTail(
  { validEnd, isTruncated }: RecordScanner,
  log: DamageLog,
  size: number,
): JournalTail {
  const { damage, message } = log;
  const position = validEnd === 0 ? 'within its header' : `in the middle of the record at byte ${validEnd}`;
  return {
    validBytes: validEnd,
    truncatedBytes: Math.max(0, size - validEnd),
    state: log.hasLoss ? 'corrupted' : isTruncated ? 'truncated' : 'complete',
    message: [message, isTruncated ? `the file ends ${position}` : ''].filter(Boolean).join('; '),
    ...(damage ? { damage } : {}),
  };
}

/** Returns the records of a journal. `source` is the path of the file or its bytes. */
export function readJournal(source: string | Uint8Array): JournalRecords {
  return new JournalRecords(source);
}

/** Decodes the records of a journal one by one. */
export class RecordDecoder {
  readonly #scanner: RecordScanner;
  readonly #damage: DamageLog;
  readonly #endpoints = new Map<number, { readonly layout: Layout; readonly chain: FrameChain }>();

  constructor(scanner: RecordScanner, damage: DamageLog) {
    this.#scanner = scanner;
    this.#damage = damage;
  }

  /** Yields the readable records of known kinds, up to the end of the journal. */
  *decode(): Generator<JournalRecord, void, undefined> {
    for (let scanned = this.#scanner.next(); scanned; scanned = this.#scanner.next()) {
      if (scanned.damagedBytes > 0) this.#breakChains(scanned.damagedBytes);
      const record = this.#decodeRecord(scanned);
      if (record) yield record;
    }
  }

  /** Decodes a record. Returns undefined if its kind is unknown, it is a repetition, or it is unusable. */
  #decodeRecord({ at, bytes, payload }: ScannedRecord): JournalRecord | undefined {
    try {
      return this.#readRecord(new ByteReader(payload), at);
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error;
      if (payload[0] === KIND.frame) this.#damage.addLostFrames(1, at, error.message);
      else this.#damage.addUnreadable(at, bytes, error.message);
      return undefined;
    }
  }

  /** Handles unreadable data, which may have contained frames of any endpoint. */
  #breakChains(bytes: number): void {
    for (const { chain } of this.#endpoints.values()) chain.break(bytes);
  }

  #readRecord(reader: ByteReader, at: number): JournalRecord | undefined {
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
    if (kind === KIND.health) return { kind: 'health', endpoint, health: fromJson(reader.readText()) };
    if (kind === KIND.frame) return this.#readFrame(reader, endpoint, state, at);
    readSeries(reader, state.layout);
    return { kind: 'series', endpoint, layout: state.layout };
  }

  #readEndpoint(reader: ByteReader): JournalRecord {
    const endpoint = reader.readVarint();
    const info = parseEndpoint(fromJson(reader.readText()));
    const known = this.#endpoints.get(endpoint);
    known?.chain.rewind();
    const state = known ?? {
      layout: new Layout(),
      chain: new FrameChain(this.#scanner.version),
    };
    this.#endpoints.set(endpoint, state);
    return { kind: 'endpoint', endpoint, layout: state.layout, info };
  }

  #readFrame(
    reader: ByteReader,
    endpoint: number,
    { layout, chain }: { readonly layout: Layout; readonly chain: FrameChain },
    at: number,
  ): JournalRecord | undefined {
    try {
      const frame = chain.read(reader, layout.slotCount);
      if (!frame) this.#damage.addRepeatedFrame();
      return frame && { kind: 'frame', endpoint, layout, frame };
    } finally {
      if (chain.missingFrames > 0)
        this.#damage.addLostFrames(chain.missingFrames, at, 'frames before it are missing');
    }
  }
}

function parseMark(json: unknown): JournalMark {
  const { kind, atNs, data } = toObject(json, 'a mark');
  if (typeof kind !== 'string' || typeof atNs !== 'string' || !/^-?\d{1,40}$/.test(atNs))
    throw new CorruptionError('a mark has no kind or no time');
  const mark = { kind, atNs: BigInt(atNs) };
  return data === undefined ? mark : { ...mark, data };
}

function parseEndpoint(json: unknown): JournalEndpoint {
  const { url, configuredUrl, identity, labels } = toObject(json, 'an endpoint');
  if (typeof url !== 'string' || typeof configuredUrl !== 'string')
    throw new CorruptionError('an endpoint has no URL');
  return {
    url,
    configuredUrl,
    ...(typeof identity === 'string' ? { identity } : {}),
    ...(isLabels(labels) ? { labels } : {}),
  };
}

function isLabels(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(text => typeof text === 'string');
}

function toObject(json: unknown, subject: string): Record<string, unknown> {
  if (typeof json !== 'object' || json === null) throw new CorruptionError(`${subject} is not an object`);
  return json as Record<string, unknown>;
}
