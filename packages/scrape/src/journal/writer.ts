import type { Frame, Layout } from '@org/core';
import { ByteWriter } from './bytes.ts';
import { type JournalFiles, nodeFiles } from './files.ts';
import { HEADER_BYTES, KIND, MAGIC, VERSION } from './format.ts';
import { writeFrame } from './framewriter.ts';
import { toJson } from './json.ts';
import { LastFrame } from './lastframe.ts';
import { Notes } from './notes.ts';
import type { JournalEndpoint, JournalMark } from './record.ts';
import { HEAD_BYTES, RecordFile, sealRecord, WriteFailure } from './recordfile.ts';
import { Retry } from './retry.ts';
import { SeriesWriter } from './seriesrecord.ts';

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
  readonly files?: JournalFiles;
}

interface Journaled {
  info: JournalEndpoint;
  /** Whether the file has the info as it is now. */
  isIntroduced: boolean;
  series: SeriesWriter | undefined;
  /** How many slots of the layout the file has. */
  slots: number;
  readonly last: LastFrame;
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
  readonly #files: JournalFiles;
  readonly #onTrouble: (trouble: JournalTrouble) => void;
  readonly #fsyncDelayMs: number;
  readonly #retry: Retry;
  readonly #preamble: Uint8Array;
  readonly #endpoints = new Map<number, Journaled>();
  readonly #notes = new Notes();
  readonly #out = new ByteWriter();
  #isFailing = false;
  #isClosed = false;
  #frames = 0;
  #syncedFrames = 0;
  #missed = 0;
  #timer: NodeJS.Timeout | undefined;
  #syncing: Promise<void> | undefined;

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
    this.#files = options.files ?? nodeFiles;
    this.#file = new RecordFile(path, this.#files);
    this.#onTrouble = options.onTrouble ?? (() => {});
    this.#fsyncDelayMs = options.fsyncDelayMs ?? 1000;
    const { clock } = options;
    this.#retry = new Retry(() => (clock ? clock.monotonicMs() : performance.now()));
    this.#preamble = this.#preambleOf(run);
    if (this.#create()) this.#try(() => this.#restate());
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
    const known = this.#endpoints.get(index);
    const { url, configuredUrl } = info;
    if (known?.info.url === url && known.info.configuredUrl === configuredUrl) return;
    if (known) Object.assign(known, { info: { url, configuredUrl }, isIntroduced: false });
    else this.#endpoints.set(index, journaled({ url, configuredUrl }));
    if (this.#isReady()) this.#try(() => this.#introduce(index));
  }

  /**
   * Adds a frame. Its layout must be the endpoint's one and only. Returns whether the frame is in the file.
   * Throws a RangeError for a frame that has more values than its layout has slots.
   */
  append(index: number, layout: Layout, frame: Frame): boolean {
    const endpoint = this.#endpointOf(index);
    if (frame.values.length > layout.slotCount) {
      const many = `${frame.values.length} values: its layout has ${layout.slotCount} slots`;
      throw new RangeError(`cannot journal a frame of ${many}`);
    }
    endpoint.series ??= new SeriesWriter(layout);
    if (endpoint.series.layout !== layout) throw new Error(`BUG: endpoint ${index} has two layouts`);
    const isWritten = this.#isReady() && this.#try(() => this.#writeFrame(index, endpoint, frame));
    if (isWritten) this.#frames++;
    else this.#missed++;
    return isWritten;
  }

  /** Adds a moment of the run. */
  mark({ kind, atNs, data }: JournalMark): void {
    this.#begin(KIND.mark).text(toJson({ kind, atNs: String(atNs), data }));
    this.#note();
  }

  /** Adds what there is to say of how an endpoint has fared, in place of what was said before. */
  health(index: number, snapshot: unknown): void {
    this.#endpointOf(index);
    const out = this.#begin(KIND.health);
    out.varint(index);
    out.text(toJson(snapshot));
    this.#note(`health ${index}`);
  }

  /** The run has ended in order. Returns whether the file says so. Nothing can be added any more. */
  end(): boolean {
    const isWritten =
      this.#isReady(true) &&
      this.#try(() => {
        this.#begin(KIND.end);
        this.#put();
      });
    this.#isClosed = true;
    return isWritten;
  }

  /** Brings the file to the disk and closes it. */
  async close(): Promise<void> {
    await this.#stop();
    if (this.#file.isOpen && !this.#file.isSynced)
      await this.#file.sync().catch(error => this.#tell(error as WriteFailure));
    await this.#file.close();
  }

  /** Closes the file and removes it: the exports are written. Rejects when the file is there and cannot be removed. */
  async remove(): Promise<void> {
    const wasOpen = this.#file.isOpen;
    await this.#stop();
    await this.#file.close();
    if (wasOpen || this.#file.length > 0) this.#files.remove(this.path);
  }

  #create(): boolean {
    try {
      this.#file.create();
      return true;
    } catch (error) {
      const failure = error as WriteFailure;
      if ((failure.cause as NodeJS.ErrnoException).code === 'EEXIST') {
        const message = `cannot begin the journal ${this.path}: it exists; the journal of a killed run must be recovered or removed first`;
        throw new Error(message, { cause: failure.cause });
      }
      this.#fail(failure);
      return false;
    }
  }

  #endpointOf(index: number): Journaled {
    const endpoint = this.#endpoints.get(index);
    if (!endpoint) throw new Error(`BUG: the journal has not been told of endpoint ${index}`);
    return endpoint;
  }

  #begin(kind: number): ByteWriter {
    const out = this.#out;
    out.length = 0;
    out.reserve(HEAD_BYTES);
    out.length = HEAD_BYTES;
    out.byte(kind);
    return out;
  }

  #put(): void {
    const start = sealRecord(this.#out);
    this.#file.append(this.#out.bytes, start, this.#out.length);
  }

  /** Keeps the record that was begun until it is on the disk, and writes it if that is possible now. */
  #note(key?: string): void {
    if (this.#isClosed) return;
    const start = sealRecord(this.#out);
    this.#notes.add(this.#out.bytes.slice(start, this.#out.length), key);
    if (this.#isReady()) this.#try(() => this.#flushNotes());
  }

  #flushNotes(): void {
    this.#notes.flush(record => {
      this.#file.append(record, 0, record.length);
      return this.#file.length;
    });
  }

  #introduce(index: number): void {
    const endpoint = this.#endpointOf(index);
    if (endpoint.isIntroduced) return;
    const out = this.#begin(KIND.endpoint);
    out.varint(index);
    out.text(toJson(endpoint.info));
    this.#put();
    endpoint.isIntroduced = true;
  }

  #writeFrame(index: number, endpoint: Journaled, frame: Frame): void {
    const { series, last } = endpoint;
    while (endpoint.slots < series!.layout.slotCount) {
      const out = this.#begin(KIND.series);
      out.varint(index);
      const slots = series!.write(out, endpoint.slots);
      this.#put();
      endpoint.slots = slots;
    }
    const out = this.#begin(KIND.frame);
    out.varint(index);
    writeFrame(out, frame, last);
    this.#put();
    last.take(frame.timestampNs, frame.values);
  }

  #preambleOf(run: unknown): Uint8Array {
    this.#begin(KIND.run).text(toJson(run));
    const start = sealRecord(this.#out);
    const preamble = new Uint8Array(HEADER_BYTES + this.#out.length - start);
    preamble.set(MAGIC);
    preamble[MAGIC.length] = VERSION;
    preamble.set(this.#out.bytes.subarray(start, this.#out.length), HEADER_BYTES);
    return preamble;
  }

  /** Whether there is a file to write to. One that has failed is tried again when it is time, or, `atOnce`, now. */
  #isReady(atOnce = false): boolean {
    if (this.#isClosed) return false;
    if (!this.#isFailing) return true;
    return (atOnce || this.#retry.isDue) && this.#try(() => this.#resume());
  }

  #resume(): void {
    if (!this.#file.isOpen) this.#file.create();
    this.#restate();
    this.#isFailing = false;
    const missed = this.#missed;
    const message = `the journal ${this.path} goes on; it lacks ${missed} frame(s)`;
    this.#onTrouble({ state: 'resumed', message, missedFrames: missed });
  }

  /** Writes what the file has to say before more frames can follow. */
  #restate(): void {
    if (this.#file.length === 0) this.#file.append(this.#preamble, 0, this.#preamble.length);
    if (this.#missed > 0) {
      this.#begin(KIND.gap).varint(this.#missed);
      this.#put();
    }
    for (const index of this.#endpoints.keys()) this.#introduce(index);
    this.#flushNotes();
  }

  /** Does what writes to the file; says whether it went well. */
  #try(action: () => void): boolean {
    try {
      action();
    } catch (error) {
      if (!(error instanceof WriteFailure)) throw error;
      this.#fail(error);
      return false;
    }
    this.#syncLater();
    return true;
  }

  #fail(error: WriteFailure): void {
    this.#retry.failed();
    for (const { last } of this.#endpoints.values()) last.forget();
    this.#file.tidy();
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#tell(error);
  }

  #tell({ message, cause }: WriteFailure): void {
    const what = `cannot write the journal ${this.path}: ${message}`;
    const effect = 'what is collected now cannot be recovered if this process is killed';
    this.#onTrouble({ state: 'failing', message: `${what}; ${effect}`, missedFrames: this.#missed, cause });
  }

  #syncLater(): void {
    if (this.#timer || this.#syncing || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#syncing = this.#sync().finally(() => {
        this.#syncing = undefined;
        if (!this.#file.isSynced) this.#syncLater();
      });
    }, this.#fsyncDelayMs);
    this.#timer.unref();
  }

  async #sync(): Promise<void> {
    const frames = this.#frames;
    try {
      this.#notes.synced(await this.#file.sync());
      this.#syncedFrames = frames;
    } catch (error) {
      if (!this.#isClosed) this.#rewind();
      this.#fail(error as WriteFailure);
    }
  }

  /** The disk has not taken what was written since it was last asked: the file goes back to there, and all is said again. */
  #rewind(): void {
    this.#file.rewind();
    this.#notes.rewind();
    this.#missed += this.#frames - this.#syncedFrames;
    this.#frames = this.#syncedFrames;
    for (const endpoint of this.#endpoints.values()) {
      endpoint.isIntroduced = false;
      endpoint.slots = 0;
    }
  }

  async #stop(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#syncing;
  }
}

function journaled(info: JournalEndpoint): Journaled {
  return { info, isIntroduced: false, series: undefined, slots: 0, last: new LastFrame() };
}
