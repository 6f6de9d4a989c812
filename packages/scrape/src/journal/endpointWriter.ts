import type { Frame, Layout } from '@org/core';
import { toJson } from './bigintJson.ts';
import { KIND } from './format.ts';
import { writeFrame } from './frameWriter.ts';
import { PreviousFrame } from './previousFrame.ts';
import type { JournalEndpoint } from './record.ts';
import type { RecordBuffer } from './recordBuffer.ts';
import { SeriesWriter } from './seriesRecord.ts';

/** The records of one endpoint, and what of it the file has by now. What `put` throws leaves the latter as it was. */
export class EndpointWriter {
  readonly #index: number;
  readonly #record: RecordBuffer;
  /** Puts the record that was begun into the file. */
  readonly #put: () => void;
  readonly #previous = new PreviousFrame();
  #info: JournalEndpoint | undefined;
  #isEndpointWritten = false;
  #series: SeriesWriter | undefined;
  #slots = 0;

  constructor(index: number, record: RecordBuffer, put: () => void) {
    this.#index = index;
    this.#record = record;
    this.#put = put;
  }

  /** Says where the endpoint is. */
  locate({ url, configuredUrl }: JournalEndpoint): void {
    if (this.#info?.url === url && this.#info.configuredUrl === configuredUrl) return;
    this.#info = { url, configuredUrl };
    this.#isEndpointWritten = false;
  }

  /** Throws for a frame that cannot be one of this endpoint. */
  check(layout: Layout, { values }: Frame): void {
    this.#series ??= new SeriesWriter(layout);
    if (this.#series.layout !== layout) throw new Error(`BUG: endpoint ${this.#index} has two layouts`);
    if (values.length > layout.slotCount) {
      throw new RangeError(
        `cannot journal a frame of ${values.length} values: its layout has ${layout.slotCount} slots`,
      );
    }
  }

  /** Writes where the endpoint is, if the file does not say so. */
  writeEndpoint(): void {
    if (this.#isEndpointWritten) return;
    const out = this.#record.begin(KIND.endpoint);
    out.varint(this.#index);
    out.text(toJson(this.#info));
    this.#put();
    this.#isEndpointWritten = true;
  }

  /** Writes a frame that was checked, and before it the series that are new. */
  append(frame: Frame): void {
    const series = this.#series!;
    while (this.#slots < series.layout.slotCount) {
      const out = this.#record.begin(KIND.series);
      out.varint(this.#index);
      const slots = series.write(out, this.#slots);
      this.#put();
      this.#slots = slots;
    }
    const out = this.#record.begin(KIND.frame);
    out.varint(this.#index);
    writeFrame(out, frame, this.#previous);
    this.#put();
    this.#previous.take(frame.timestampNs, frame.values);
  }

  /** The next frame has to stand on its own. */
  forget(): void {
    this.#previous.forget();
  }

  /** The file may have lost anything. */
  rewind(): void {
    this.#previous.forget();
    this.#isEndpointWritten = false;
    this.#slots = 0;
  }
}
