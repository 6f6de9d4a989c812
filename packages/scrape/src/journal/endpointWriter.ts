import type { Frame, Layout } from '@org/core';
import { toJson } from './bigintJson.ts';
import { FRAME_NUMBERS, KIND } from './format.ts';
import { writeFrame } from './frameWriter.ts';
import { PreviousFrame } from './previousFrame.ts';
import type { JournalEndpoint } from './record.ts';
import type { RecordBuffer } from './recordBuffer.ts';
import { SeriesWriter } from './seriesRecord.ts';

/**
 * A self-contained frame is written as soon as the other frames since the last one take this many times its size.
 * It limits the loss if the file is damaged.
 */
const SELF_CONTAINED_INTERVAL = 16;

/**
 * Writes the records of one endpoint and tracks which of them the file contains. If `put` throws, the record
 * is not considered written.
 */
export class EndpointWriter {
  readonly #index: number;
  readonly #record: RecordBuffer;
  /** Appends the current record to the file. */
  readonly #put: () => void;
  readonly #previous = new PreviousFrame();
  #info: JournalEndpoint | undefined;
  #isEndpointWritten = false;
  #series: SeriesWriter | undefined;
  #writtenSlots = 0;
  /** Number of the next frame. */
  #number = 0;
  /** Size of the last self-contained frame and of all frames after it, in bytes. */
  #selfContainedBytes = 0;
  #followingBytes = 0;

  constructor(index: number, record: RecordBuffer, put: () => void) {
    this.#index = index;
    this.#record = record;
    this.#put = put;
  }

  /** Sets the URLs and labels of the endpoint. A change is written by the next call to `writeEndpoint`. */
  setInfo({ url, configuredUrl, identity, labels }: JournalEndpoint): void {
    const { url: knownUrl, configuredUrl: knownConfiguredUrl, labels: knownLabels } = this.#info ?? {};
    if (knownUrl === url && knownConfiguredUrl === configuredUrl && knownLabels === labels) return;
    this.#info = {
      url,
      configuredUrl,
      ...(identity === undefined ? {} : { identity }),
      ...(labels === undefined ? {} : { labels }),
    };
    this.#isEndpointWritten = false;
  }

  /** Throws if a frame does not match the layout of this endpoint. */
  check(layout: Layout, { values }: Frame): void {
    this.#series ??= new SeriesWriter(layout);
    if (this.#series.layout !== layout) throw new Error(`BUG: endpoint ${this.#index} has two layouts`);
    if (values.length > layout.slotCount) {
      throw new RangeError(
        `cannot journal a frame of ${values.length} values: its layout has ${layout.slotCount} slots`,
      );
    }
  }

  /** Writes the URLs and labels of the endpoint unless the file already contains them. */
  writeEndpoint(): void {
    if (this.#isEndpointWritten) return;
    const out = this.#record.begin(KIND.endpoint);
    out.writeVarint(this.#index);
    out.writeText(toJson(this.#info));
    this.#put();
    this.#isEndpointWritten = true;
  }

  /** Writes the series that are new in the layout, and a frame that was checked with `check`. */
  append(frame: Frame): void {
    const series = this.#series!;
    while (this.#writtenSlots < series.layout.slotCount) {
      const out = this.#record.begin(KIND.series);
      out.writeVarint(this.#index);
      const writtenSlots = series.write(out, this.#writtenSlots);
      this.#put();
      this.#writtenSlots = writtenSlots;
    }
    if (this.#followingBytes >= SELF_CONTAINED_INTERVAL * this.#selfContainedBytes) this.#previous.reset();
    const isSelfContained = !this.#previous.isKnown;
    const out = this.#record.begin(KIND.frame);
    out.writeVarint(this.#index);
    out.writeByte(this.#number);
    writeFrame(out, frame, this.#previous);
    const bytes = out.length;
    this.#put();
    this.#previous.store(frame.timestampNs, frame.values);
    this.#number = (this.#number + 1) % FRAME_NUMBERS;
    if (isSelfContained) this.#selfContainedBytes = bytes;
    this.#followingBytes = isSelfContained ? 0 : this.#followingBytes + bytes;
  }

  /** Makes the next frame self-contained, because the previous one may not be in the file. */
  resetPreviousFrame(): void {
    this.#previous.reset();
  }

  /** Marks all records as not written, because the file may have lost them. */
  rewind(): void {
    this.#previous.reset();
    this.#isEndpointWritten = false;
    this.#writtenSlots = 0;
  }
}
