import { Buffer } from 'node:buffer';
import type { Frame, Layout } from '@org/core';
import { BackgroundTask } from './backgroundTask.ts';
import { toJson } from './bigintJson.ts';
import { EndpointWriter } from './endpointWriter.ts';
import { type JournalFileSystem, nodeFileSystem } from './fileSystem.ts';
import { KIND, MAGIC, VERSION } from './format.ts';
import { PendingNotes } from './pendingNotes.ts';
import type { JournalEndpoint, JournalMark } from './record.ts';
import { RecordBuffer } from './recordBuffer.ts';
import { RecordFile, WriteError } from './recordFile.ts';
import { RetryPolicy } from './retryPolicy.ts';
import { createFailureReport, createRecoveryReport, type JournalStateChange } from './stateChange.ts';

export interface JournalWriterOptions {
  /** Maximum time until appended data is synced to disk, in milliseconds. Default: 1000. */
  readonly fsyncDelayMs?: number;
  readonly onStateChange?: (change: JournalStateChange) => void;
  /** Only differences of its `monotonicMs` are used. */
  readonly clock?: { monotonicMs(): number };
  readonly files?: JournalFileSystem;
}

/**
 * The append-only journal of a run, which makes a killed run exportable.
 *
 * Each append is one `write` system call, so appended data survives the process; a background sync makes it
 * survive the machine. Write failures never disturb the collection: they are reported once, retried, and
 * missing frames are counted. The file always ends with a complete record, unless the process was killed
 * within a write.
 */
export class JournalWriter {
  readonly path: string;
  readonly #file: RecordFile;
  readonly #onStateChange: (change: JournalStateChange) => void;
  readonly #retry: RetryPolicy;
  readonly #preamble: Uint8Array;
  readonly #endpoints = new Map<number, EndpointWriter>();
  readonly #notes = new PendingNotes();
  readonly #record = new RecordBuffer();
  readonly #syncTask: BackgroundTask;
  #isFailing = false;
  #isClosed = false;
  #frames = 0;
  #syncedFrames = 0;
  #missed = 0;

  /**
   * Creates a journal. `run` describes the run: everything that an export needs besides the frames, as JSON
   * values and bigints. Throws if the file exists; other problems with the file or its folder are reported to
   * `onStateChange`.
   */
  static open(path: string, run: unknown, options: JournalWriterOptions = {}): JournalWriter {
    return new JournalWriter(path, run, options);
  }

  private constructor(path: string, run: unknown, options: JournalWriterOptions) {
    this.path = path;
    this.#file = new RecordFile(path, options.files ?? nodeFileSystem);
    this.#onStateChange = options.onStateChange ?? (() => {});
    this.#syncTask = new BackgroundTask(options.fsyncDelayMs ?? 1000, () => this.#sync());
    const { clock } = options;
    this.#retry = new RetryPolicy(() => (clock ? clock.monotonicMs() : performance.now()));
    this.#preamble = this.#buildPreamble(run);
    if (this.#create()) this.#try(() => this.#writePreamble());
  }

  /** Number of frames that could not be written. */
  get missedFrames(): number {
    return this.#missed;
  }

  /** Size of the file, in bytes. */
  get byteLength(): number {
    return this.#file.length;
  }

  /** Adds an endpoint, or changes its URLs. Must precede all other records of the endpoint. */
  addEndpoint(index: number, info: JournalEndpoint): void {
    if (!Number.isSafeInteger(index) || index < 0)
      throw new RangeError(`cannot journal endpoint ${index}: expected an index of at least 0`);
    const endpoint = this.#endpoints.get(index) ?? new EndpointWriter(index, this.#record, () => this.#put());
    this.#endpoints.set(index, endpoint);
    endpoint.setUrls(info);
    this.#write(() => endpoint.writeEndpoint());
  }

  /**
   * Adds a frame. Its layout must always be the same object. Returns whether the frame is in the file. Throws
   * a RangeError if the frame has more values than its layout has slots.
   */
  append(index: number, layout: Layout, frame: Frame): boolean {
    const endpoint = this.#getEndpoint(index);
    endpoint.check(layout, frame);
    const isWritten = this.#write(() => endpoint.append(frame));
    if (isWritten) this.#frames++;
    else this.#missed++;
    return isWritten;
  }

  /** Adds a mark. */
  addMark({ kind, atNs, data }: JournalMark): void {
    this.#record.begin(KIND.mark).text(toJson({ kind, atNs: String(atNs), data }));
    this.#addNote();
  }

  /** Adds a snapshot of an endpoint's health, replacing earlier ones. */
  addHealth(index: number, snapshot: unknown): void {
    this.#getEndpoint(index);
    const out = this.#record.begin(KIND.health);
    out.varint(index);
    out.text(toJson(snapshot));
    this.#addNote(`health ${index}`);
  }

  /**
   * Records that the run ended normally. Returns whether the record was written. Nothing can be added
   * afterwards.
   */
  end(): boolean {
    const putEnd = (): void => {
      this.#record.begin(KIND.end);
      this.#put();
    };
    const isWritten = this.#write(putEnd, true);
    this.#isClosed = true;
    return isWritten;
  }

  /** Syncs and closes the file. */
  async close(): Promise<void> {
    await this.#stop();
    if (this.#file.isOpen && !this.#file.isSynced)
      await this.#file.sync().catch(error => this.#reportFailure(error as WriteError));
    await this.#file.close();
  }

  /**
   * Closes and removes the file, after the exports were written. Rejects if the file exists and cannot be
   * removed.
   */
  async remove(): Promise<void> {
    await this.#stop();
    await this.#file.close();
    this.#file.remove();
  }

  #create(): boolean {
    try {
      this.#file.create();
      return true;
    } catch (error) {
      const failure = error as WriteError;
      if ((failure.cause as NodeJS.ErrnoException).code === 'EEXIST') {
        const message = `cannot create the journal ${this.path}: the file exists; recover or remove the journal of the killed run first`;
        throw new Error(message, { cause: failure.cause });
      }
      this.#fail(failure);
      return false;
    }
  }

  #getEndpoint(index: number): EndpointWriter {
    const endpoint = this.#endpoints.get(index);
    if (!endpoint) throw new Error(`BUG: endpoint ${index} was not added to the journal`);
    return endpoint;
  }

  #put(): void {
    this.#file.append(this.#record.seal());
  }

  /** Keeps the current record until it is on disk, and writes it now if possible. */
  #addNote(key?: string): void {
    if (this.#isClosed) return;
    this.#notes.add(this.#record.seal().slice(), key);
    this.#write(() => this.#flushNotes());
  }

  #flushNotes(): void {
    this.#notes.flush(record => {
      this.#file.append(record);
      return this.#file.length;
    });
  }

  #buildPreamble(run: unknown): Uint8Array {
    this.#record.begin(KIND.run).text(toJson(run));
    return Buffer.concat([MAGIC, Uint8Array.of(VERSION), this.#record.seal()]);
  }

  /**
   * Runs a write action. Returns whether it succeeded. After a failure, actions are skipped until a retry is
   * due, or retried immediately with `retriesNow`.
   */
  #write(action: () => void, retriesNow = false): boolean {
    if (this.#isClosed) return false;
    if (!this.#isFailing) return this.#try(action);
    if (!retriesNow && !this.#retry.isDue) return false;
    const isWritten = this.#try(() => {
      if (!this.#file.isOpen) this.#file.create();
      this.#writePreamble();
      action();
    });
    if (isWritten) this.#reportResumed();
    return isWritten;
  }

  #reportResumed(): void {
    this.#isFailing = false;
    this.#onStateChange(createRecoveryReport(this.path, this.#missed));
  }

  /** Writes the records that must precede further frames. */
  #writePreamble(): void {
    if (this.#file.length === 0) this.#file.append(this.#preamble);
    if (this.#missed > 0) {
      this.#record.begin(KIND.gap).varint(this.#missed);
      this.#put();
    }
    for (const endpoint of this.#endpoints.values()) endpoint.writeEndpoint();
    this.#flushNotes();
  }

  /** Runs an action that writes to the file. Returns whether it succeeded. */
  #try(action: () => void): boolean {
    try {
      action();
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      this.#fail(error);
      return false;
    }
    this.#syncTask.schedule();
    return true;
  }

  #fail(error: WriteError): void {
    this.#retry.recordFailure();
    for (const endpoint of this.#endpoints.values()) endpoint.forget();
    this.#file.truncatePartial();
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#reportFailure(error);
  }

  #reportFailure(error: WriteError): void {
    this.#onStateChange(createFailureReport(this.path, error, this.#missed));
  }

  /** Syncs the file. Returns whether more data was appended meanwhile. */
  async #sync(): Promise<boolean> {
    if (this.#file.isSynced) return false;
    const frames = this.#frames;
    try {
      this.#notes.markSynced(await this.#file.sync());
      this.#syncedFrames = frames;
    } catch (error) {
      if (!this.#isClosed) this.#rewind();
      this.#fail(error as WriteError);
    }
    return !this.#file.isSynced;
  }

  /** Goes back to the last synced position after a failed sync, and marks later data to be written again. */
  #rewind(): void {
    this.#file.rewind();
    this.#notes.rewind();
    this.#missed += this.#frames - this.#syncedFrames;
    this.#frames = this.#syncedFrames;
    for (const endpoint of this.#endpoints.values()) endpoint.rewind();
  }

  async #stop(): Promise<void> {
    this.#isClosed = true;
    await this.#syncTask.stop();
  }
}
