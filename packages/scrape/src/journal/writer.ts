import { Buffer } from 'node:buffer';
import type { Frame, Layout } from '@org/core';
import { BackgroundTask } from './backgroundTask.ts';
import { toJson } from './bigintJson.ts';
import { EndpointWriter } from './endpointWriter.ts';
import { WriteError } from './errors.ts';
import { type JournalFileSystem, nodeFileSystem } from './fileSystem.ts';
import { KIND, MAGIC, VERSION } from './format.ts';
import { PendingNotes } from './pendingNotes.ts';
import type { JournalEndpoint, JournalMark } from './record.ts';
import { RecordBuffer } from './recordBuffer.ts';
import { RecordFile } from './recordFile.ts';
import { RetryPolicy } from './retryPolicy.ts';

/** The journal cannot be written, or goes on again. Each is told once in turn. */
export interface JournalTrouble {
  readonly state: 'failing' | 'resumed';
  /** A sentence for people. */
  readonly message: string;
  /** Frames that are not in the journal by now. */
  readonly missedFrames: number;
  /** What the file system said, for debugging. */
  readonly cause?: unknown;
}

export interface JournalWriterOptions {
  /** How long what was appended may be in the memory of the operating system alone, in ms; 1000 without it. */
  readonly fsyncDelayMs?: number;
  readonly onTrouble?: (trouble: JournalTrouble) => void;
  /** Only differences of its `monotonicMs` count. */
  readonly clock?: { monotonicMs(): number };
  readonly files?: JournalFileSystem;
}

/**
 * The append-only file from which a killed run can be exported.
 *
 * Appending is one `write` of the operating system, so that what was appended outlives the process; a sync of the disk, so
 * that it outlives the machine too, follows in the background. What cannot be written never disturbs the collection: it is
 * told once, tried again from time to time, and what is missing is counted. The file always ends with a whole record, but
 * for the one that a kill cut short.
 */
export class JournalWriter {
  readonly path: string;
  readonly #file: RecordFile;
  readonly #onTrouble: (trouble: JournalTrouble) => void;
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
   * Begins a journal in a file that must not exist. `run` says what run it is: whatever an export needs besides the frames,
   * anything that JSON can say, and bigints. Throws when there is such a file already; all else that is wrong with the file
   * or its folder is told to `onTrouble`.
   */
  static open(path: string, run: unknown, options: JournalWriterOptions = {}): JournalWriter {
    return new JournalWriter(path, run, options);
  }

  private constructor(path: string, run: unknown, options: JournalWriterOptions) {
    this.path = path;
    this.#file = new RecordFile(path, options.files ?? nodeFileSystem);
    this.#onTrouble = options.onTrouble ?? (() => {});
    this.#syncTask = new BackgroundTask(options.fsyncDelayMs ?? 1000, () => this.#sync());
    const { clock } = options;
    this.#retry = new RetryPolicy(() => (clock ? clock.monotonicMs() : performance.now()));
    this.#preamble = this.#buildPreamble(run);
    if (this.#create()) this.#try(() => this.#writePreamble());
  }

  /** Frames that were given and are not in the file. */
  get missedFrames(): number {
    return this.#missed;
  }

  /** Bytes of the file. */
  get byteLength(): number {
    return this.#file.length;
  }

  /** Says where an endpoint is; again, when that has changed. Comes before all else of that endpoint. */
  endpoint(index: number, info: JournalEndpoint): void {
    if (!Number.isSafeInteger(index) || index < 0)
      throw new RangeError(`cannot journal endpoint ${index}: an index from 0 is accepted`);
    const endpoint = this.#endpoints.get(index) ?? new EndpointWriter(index, this.#record, () => this.#put());
    this.#endpoints.set(index, endpoint);
    endpoint.locate(info);
    if (this.#isReady()) this.#try(() => endpoint.writeEndpoint());
  }

  /**
   * Adds a frame. Its layout must be the endpoint's one and only. Returns whether the frame is in the file.
   * Throws a RangeError for a frame that has more values than its layout has slots.
   */
  append(index: number, layout: Layout, frame: Frame): boolean {
    const endpoint = this.#getEndpoint(index);
    endpoint.check(layout, frame);
    const isWritten = this.#isReady() && this.#try(() => endpoint.append(frame));
    if (isWritten) this.#frames++;
    else this.#missed++;
    return isWritten;
  }

  /** Adds a moment of the run. */
  mark({ kind, atNs, data }: JournalMark): void {
    this.#record.begin(KIND.mark).text(toJson({ kind, atNs: String(atNs), data }));
    this.#addNote();
  }

  /** Adds what there is to say of how an endpoint has fared, in place of what was said before. */
  health(index: number, snapshot: unknown): void {
    this.#getEndpoint(index);
    const out = this.#record.begin(KIND.health);
    out.varint(index);
    out.text(toJson(snapshot));
    this.#addNote(`health ${index}`);
  }

  /** The run has ended in order. Returns whether the file says so. Nothing can be added any more. */
  end(): boolean {
    const isWritten =
      this.#isReady(true) &&
      this.#try(() => {
        this.#record.begin(KIND.end);
        this.#put();
      });
    this.#isClosed = true;
    return isWritten;
  }

  /** Brings the file to the disk and closes it. */
  async close(): Promise<void> {
    await this.#stop();
    if (this.#file.isOpen && !this.#file.isSynced)
      await this.#file.sync().catch(error => this.#reportFailure(error as WriteError));
    await this.#file.close();
  }

  /** Closes the file and removes it: the exports are written. Rejects when the file is there and cannot be removed. */
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
    if (!endpoint) throw new Error(`BUG: the journal has not been told of endpoint ${index}`);
    return endpoint;
  }

  #put(): void {
    this.#file.append(this.#record.seal());
  }

  /** Keeps the record that was begun until it is on the disk, and writes it if that is possible now. */
  #addNote(key?: string): void {
    if (this.#isClosed) return;
    this.#notes.add(this.#record.seal().slice(), key);
    if (this.#isReady()) this.#try(() => this.#flushNotes());
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

  /** Whether there is a file to write to. One that has failed is tried again when it is time, or, `atOnce`, now. */
  #isReady(atOnce = false): boolean {
    if (this.#isClosed) return false;
    if (!this.#isFailing) return true;
    return (atOnce || this.#retry.isDue) && this.#try(() => this.#resume());
  }

  #resume(): void {
    if (!this.#file.isOpen) this.#file.create();
    this.#writePreamble();
    this.#isFailing = false;
    const missed = this.#missed;
    const message = `writing the journal ${this.path} resumed; it lacks ${missed} ${missed === 1 ? 'frame' : 'frames'}`;
    this.#onTrouble({ state: 'resumed', message, missedFrames: missed });
  }

  /** Writes what the file has to say before more frames can follow. */
  #writePreamble(): void {
    if (this.#file.length === 0) this.#file.append(this.#preamble);
    if (this.#missed > 0) {
      this.#record.begin(KIND.gap).varint(this.#missed);
      this.#put();
    }
    for (const endpoint of this.#endpoints.values()) endpoint.writeEndpoint();
    this.#flushNotes();
  }

  /** Does what writes to the file; says whether it went well. */
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
    this.#retry.failed();
    for (const endpoint of this.#endpoints.values()) endpoint.forget();
    this.#file.truncatePartial();
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#reportFailure(error);
  }

  #reportFailure({ message, cause }: WriteError): void {
    const what = `cannot write the journal ${this.path}: ${message}`;
    const effect = 'data collected from now on cannot be recovered if this process is killed';
    this.#onTrouble({ state: 'failing', message: `${what}; ${effect}`, missedFrames: this.#missed, cause });
  }

  /** Returns whether there is more to bring to the disk by now. */
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

  /** The disk has not taken what was written since it was last asked: the file goes back to there, and all is said again. */
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
