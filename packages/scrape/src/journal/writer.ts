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
  /** Maximum delay before appended data is synced to disk, in milliseconds [default: 1000]. */
  readonly fsyncDelayMs?: number;
  readonly onStateChange?: (change: JournalStateChange) => void;
  /** The clock for the retry policy; defaults to `performance.now`. */
  readonly clock?: { monotonicMs(): number };
  readonly files?: JournalFileSystem;
}

/**
 * The append-only journal of a run. A killed run can be recovered and exported from its journal.
 *
 * Each record is appended with one `write` system call, so that it survives a crash of the process; a
 * background sync to disk lets it survive a crash of the machine. Write failures do not interrupt the
 * collection: a failure is reported once, writing is retried, and missing frames are counted. The file always
 * ends with a complete record, unless the process is killed during a write.
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
  #writtenFrames = 0;
  #syncedFrames = 0;
  #missedFrames = 0;

  /**
   * Creates a journal. `run` describes the run: all data except for the frames that an export needs, as JSON
   * values and bigints. Throws if the file exists. Other failures are reported to `onStateChange`.
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
    return this.#missedFrames;
  }

  /** Size of the complete records in the file, in bytes. */
  get byteLength(): number {
    return this.#file.length;
  }

  /** Adds an endpoint, or changes its URLs or labels. Must be called before anything else is added for the endpoint. */
  addEndpoint(index: number, info: JournalEndpoint): void {
    if (!Number.isSafeInteger(index) || index < 0)
      throw new RangeError(`cannot journal endpoint ${index}: expected an index of at least 0`);
    const endpoint = this.#endpoints.get(index) ?? new EndpointWriter(index, this.#record, () => this.#put());
    this.#endpoints.set(index, endpoint);
    endpoint.setInfo(info);
    this.#write(() => endpoint.writeEndpoint());
  }

  /**
   * Adds a frame of an endpoint. All frames of the endpoint must have the same layout object. Returns whether
   * the frame was written. Throws a RangeError if the frame has more values than the layout has slots.
   */
  append(index: number, layout: Layout, frame: Frame): boolean {
    const endpoint = this.#getEndpoint(index);
    endpoint.check(layout, frame);
    const isWritten = this.#write(() => endpoint.append(frame));
    if (isWritten) this.#writtenFrames++;
    else this.#missedFrames++;
    return isWritten;
  }

  /** Adds a mark, which is written as soon as the file is writable. */
  addMark({ kind, atNs, data }: JournalMark): void {
    this.#record.begin(KIND.mark).writeText(toJson({ kind, atNs: String(atNs), data }));
    this.#addNote();
  }

  /** Adds a snapshot of an endpoint's health, which supersedes earlier ones. */
  addHealth(index: number, snapshot: unknown): void {
    this.#getEndpoint(index);
    const out = this.#record.begin(KIND.health);
    out.writeVarint(index);
    out.writeText(toJson(snapshot));
    this.#addNote(`health ${index}`);
  }

  /**
   * Writes the record that marks a normal end of the run. Returns whether it was written. Records cannot be
   * added afterwards.
   */
  end(): boolean {
    const writeEnd = (): void => {
      this.#record.begin(KIND.end);
      this.#put();
    };
    const isWritten = this.#write(writeEnd, true);
    this.#isClosed = true;
    return isWritten;
  }

  /** Syncs and closes the file. A failure to sync is reported to `onStateChange`. */
  async close(): Promise<void> {
    await this.#stop();
    if (this.#file.isOpen && !this.#file.isSynced)
      await this.#file.sync().catch(error => this.#reportFailure(error as WriteError));
    await this.#file.close();
  }

  /**
   * Closes and removes the file. Called after all exports have been written. Rejects if the file exists and
   * cannot be removed.
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

  /** Appends the current record to the file. */
  #put(): void {
    this.#file.append(this.#record.seal());
  }

  /** Adds the current record to the notes, which are kept until they are on disk, and tries to write it. */
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

  /** Returns the start of the file: header and run record. */
  #buildPreamble(run: unknown): Uint8Array {
    this.#record.begin(KIND.run).writeText(toJson(run));
    return Buffer.concat([MAGIC, Uint8Array.of(VERSION), this.#record.seal()]);
  }

  /**
   * Runs an action that writes to the file. Returns whether it succeeded. After a failure, actions are
   * skipped until a retry is due, except with `retriesNow`.
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
    this.#onStateChange(createRecoveryReport(this.path, this.#missedFrames));
  }

  /** Writes the records that must precede further frames, unless the file contains them. */
  #writePreamble(): void {
    if (this.#file.length === 0) this.#file.append(this.#preamble);
    if (this.#missedFrames > 0) {
      this.#record.begin(KIND.gap).writeVarint(this.#missedFrames);
      this.#put();
    }
    for (const endpoint of this.#endpoints.values()) endpoint.writeEndpoint();
    this.#flushNotes();
  }

  /** Runs an action that writes to the file, handling `WriteError`. Returns whether it succeeded. */
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

  /** Handles a write failure. Only the first of consecutive failures is reported. */
  #fail(error: WriteError): void {
    this.#retry.recordFailure();
    for (const endpoint of this.#endpoints.values()) endpoint.resetPreviousFrame();
    this.#file.truncatePartial();
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#reportFailure(error);
  }

  #reportFailure(error: WriteError): void {
    this.#onStateChange(createFailureReport(this.path, error, this.#missedFrames));
  }

  /**
   * Syncs the file. Resolves to whether another sync is needed, for data that was appended in the meantime.
   */
  async #sync(): Promise<boolean> {
    if (this.#file.isSynced) return false;
    const frames = this.#writtenFrames;
    try {
      this.#notes.markSynced(await this.#file.sync());
      this.#syncedFrames = frames;
    } catch (error) {
      if (!this.#isClosed) this.#rewind();
      this.#fail(error as WriteError);
    }
    return !this.#file.isSynced;
  }

  /**
   * Returns to the last synced position after a failed sync. Later frames count as missed; other records are
   * written again.
   */
  #rewind(): void {
    this.#file.rewind();
    this.#notes.rewind();
    this.#missedFrames += this.#writtenFrames - this.#syncedFrames;
    this.#writtenFrames = this.#syncedFrames;
    for (const endpoint of this.#endpoints.values()) endpoint.rewind();
  }

  async #stop(): Promise<void> {
    this.#isClosed = true;
    await this.#syncTask.stop();
  }
}
