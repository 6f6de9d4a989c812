import { crc32 } from 'node:zlib';
import { repairByte } from './byteRepair.ts';
import type { ByteSource } from './byteSource.ts';
import { ByteReader, ByteWriter } from './byteStream.ts';
import type { DamageLog } from './damage.ts';
import {
  CorruptionError,
  HEADER_BYTES,
  JournalError,
  MAGIC,
  MAX_PAYLOAD_BYTES,
  SEEDS,
  VERSION,
} from './format.ts';
import { isPlausiblePayload, PLAUSIBLE_BYTES } from './plausiblePayload.ts';

/** Maximum size of a record head (checksum and length), in bytes. */
const MAX_HEAD_BYTES = 9;
const CHECKSUM_BYTES = 4;

/** A record with a valid or corrected checksum. */
export interface ScannedRecord {
  /** Position of the record in the file. */
  readonly at: number;
  /** Size of the record, in bytes. */
  readonly bytes: number;
  /** The payload; valid until the next record is read. */
  readonly payload: Uint8Array;
  /** Size of the unreadable data between the previous record and this record, in bytes. */
  readonly damagedBytes: number;
}

/** The head of a record: the end of its length field and its end, relative to its start. */
interface Head {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the records of a journal one by one. After a damaged record, it corrects a single wrong byte, or continues
 * with the next record that has a valid checksum.
 */
export class RecordScanner {
  readonly version: number;
  readonly #source: ByteSource;
  readonly #damage: DamageLog;
  #at = 0;
  #validEnd = 0;
  #isTruncated = false;
  #damagedBytes = 0;

  /** Reads the header. Throws `JournalError` if the file is not a journal. */
  constructor(source: ByteSource, name: string, damage: DamageLog) {
    this.#source = source;
    this.#damage = damage;
    this.version = this.#readHeader(name);
  }

  /** End of the last readable record. */
  get validEnd(): number {
    return this.#validEnd;
  }

  /** True if the file ends within a record or its header. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /** Continues after the end of the journal, once the source has further bytes. */
  resume(): void {
    this.#isTruncated = false;
  }

  /** Returns the next record; undefined at the end of the journal. */
  next(): ScannedRecord | undefined {
    if (this.#isTruncated || this.#source.peek(1).length === 0) return undefined;
    const at = this.#at;
    const intact = this.#checkRecord(0, this.version);
    if (intact) return this.#take(at, intact.end, this.#view(intact.start, intact.end));
    return this.#readDamaged(at);
  }

  #take(at: number, bytes: number, payload: Uint8Array): ScannedRecord {
    const damagedBytes = this.#damagedBytes;
    this.#damagedBytes = 0;
    this.#advance(bytes);
    this.#validEnd = this.#at;
    return { at, bytes, payload, damagedBytes };
  }

  #readDamaged(at: number): ScannedRecord | undefined {
    const reason = this.#describeProblem();
    const next = this.#findNextRecord();
    const repaired = this.#repair(next ?? this.#remainingBytes);
    if (repaired) {
      this.#damage.addRepaired(at);
      return this.#take(at, repaired.bytes, repaired.payload);
    }
    if (next === undefined && reason === undefined) {
      this.#isTruncated = true;
      return undefined;
    }
    const bytes = next ?? this.#remainingBytes;
    this.#damage.addUnreadable(at, bytes, reason ?? 'the record is incomplete');
    this.#damagedBytes += bytes;
    this.#advance(bytes);
    return next === undefined ? undefined : this.next();
  }

  /**
   * Corrects a single wrong byte of the record at the current position. `end` is the position of the next record
   * or of the end of the file, relative to the current position.
   */
  #repair(end: number): { readonly bytes: number; readonly payload: Uint8Array } | undefined {
    return this.#repairLength(end) ?? this.#repairPayload(end);
  }

  #repairPayload(end: number): { readonly bytes: number; readonly payload: Uint8Array } | undefined {
    const head = this.#parseHead(0);
    // If the next record is damaged, too, the next valid record is further away.
    if (!head || head.end > end) return undefined;
    const original = this.#view(CHECKSUM_BYTES, head.end);
    const data = repairByte(original, this.#readChecksum(0), SEEDS[this.version]!);
    const lengthBytes = head.start - CHECKSUM_BYTES;
    // The length was used to find the end of the record, so it cannot be the wrong byte.
    if (!data?.subarray(0, lengthBytes).every((byte, at) => byte === original[at])) return undefined;
    return { bytes: head.end, payload: data.subarray(lengthBytes) };
  }

  /** Corrects the length of a record that is followed by a valid record or by the end of the file. */
  #repairLength(end: number): { readonly bytes: number; readonly payload: Uint8Array } | undefined {
    for (let start = CHECKSUM_BYTES + 1; start <= Math.min(MAX_HEAD_BYTES, end - 1); start++) {
      const length = new ByteWriter();
      length.writeVarint(end - start);
      if (length.length !== start - CHECKSUM_BYTES) continue;
      const head = length.bytes.subarray(0, length.length);
      const payload = this.#view(start, end);
      if (crc32(payload, crc32(head, SEEDS[this.version]!)) === this.#readChecksum(0))
        return { bytes: end, payload };
    }
    return undefined;
  }

  /** Returns the position of the next valid record, relative to the current position; undefined if there is none. */
  #findNextRecord(): number | undefined {
    const { size } = this.#source;
    for (let offset = 1; this.#at + offset + CHECKSUM_BYTES + 2 <= size; offset++) {
      const head = this.#parseHead(offset);
      if (head && this.#isPlausible(offset, head) && this.#checkRecord(offset, this.version)) return offset;
    }
    return undefined;
  }

  #isPlausible(offset: number, { start, end }: Head): boolean {
    const bytes = this.#view(offset + start, offset + Math.min(end, start + PLAUSIBLE_BYTES));
    return isPlausiblePayload(bytes, end - start, this.version);
  }

  /** Returns the head of the record at an offset if it is complete and its checksum is valid. */
  #checkRecord(offset: number, version: number): Head | undefined {
    const head = this.#parseHead(offset);
    if (!head) return undefined;
    const data = this.#view(offset + CHECKSUM_BYTES, offset + head.end);
    return crc32(data, SEEDS[version]!) === this.#readChecksum(offset) ? head : undefined;
  }

  /** Parses the head of the record at an offset. Returns undefined if it is invalid or the record is incomplete. */
  #parseHead(offset: number): Head | undefined {
    try {
      const size = this.#readLength(offset);
      if (size === undefined) return undefined;
      const end = size.start + size.length;
      return this.#at + offset + end > this.#source.size ? undefined : { start: size.start, end };
    } catch (error) {
      if (error instanceof CorruptionError) return undefined;
      throw error;
    }
  }

  /** Returns why the record at the current position is invalid; undefined if it is only incomplete. */
  #describeProblem(): string | undefined {
    try {
      const size = this.#readLength(0);
      if (size === undefined || this.#at + size.start + size.length > this.#source.size) return undefined;
      return 'the checksum does not match';
    } catch (error) {
      if (error instanceof CorruptionError) return error.message;
      throw error;
    }
  }

  /**
   * Reads the length of the record at an offset. Returns undefined if the file ends before the length does.
   * Throws `CorruptionError` if the length is invalid.
   */
  #readLength(offset: number): { readonly start: number; readonly length: number } | undefined {
    const head = this.#source.peek(offset + MAX_HEAD_BYTES).subarray(offset, offset + MAX_HEAD_BYTES);
    const last = head.findIndex((byte, at) => at >= CHECKSUM_BYTES && byte < 0x80);
    if (last < 0 && head.length === MAX_HEAD_BYTES) throw new CorruptionError('the length field is too long');
    if (last < 0) return undefined;
    const start = last + 1;
    const length = new ByteReader(head.subarray(CHECKSUM_BYTES, start)).readVarint();
    if (length === 0 || length > MAX_PAYLOAD_BYTES)
      throw new CorruptionError(`a record has the invalid length ${length}`);
    return { start, length };
  }

  #readChecksum(offset: number): number {
    const [a, b, c, d] = this.#view(offset, offset + CHECKSUM_BYTES) as unknown as [
      number,
      number,
      number,
      number,
    ];
    return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
  }

  #view(from: number, to: number): Uint8Array {
    return this.#source.peek(to).subarray(from, to);
  }

  get #remainingBytes(): number {
    return this.#source.size - this.#at;
  }

  #advance(count: number): void {
    this.#source.advance(count);
    this.#at += count;
  }

  /**
   * Reads the header and returns the version. A damaged header is accepted if a valid record follows it: the
   * checksums depend on the version.
   */
  #readHeader(name: string): number {
    const head = this.#view(0, HEADER_BYTES);
    if (head.length < HEADER_BYTES && MAGIC.subarray(0, head.length).every((byte, at) => byte === head[at])) {
      this.#isTruncated = true;
      return VERSION;
    }
    const isMagic = MAGIC.every((byte, at) => byte === head[at]);
    const version = head[MAGIC.length]!;
    const versions = Object.keys(SEEDS).map(Number);
    const actual = versions.find(known => this.#checkRecord(HEADER_BYTES, known));
    if (actual !== undefined && (actual !== version || !isMagic)) this.#damage.addRepaired(0);
    if (actual !== undefined) return this.#passHeader(actual);
    // The first record is incomplete or damaged.
    if (isMagic && versions.includes(version)) return this.#passHeader(version);
    throw new JournalError(
      isMagic
        ? `cannot read the journal ${name}: unsupported version ${version}; expected at most ${VERSION}`
        : `cannot read the journal ${name}: it is not a Servelens journal`,
    );
  }

  #passHeader(version: number): number {
    this.#advance(HEADER_BYTES);
    this.#validEnd = HEADER_BYTES;
    return version;
  }
}
