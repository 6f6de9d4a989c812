import type { Labels } from '@org/core';
import { readFields } from './protobuf.ts';

/** A decoded label and the range of its message. */
interface DecodedLabel {
  readonly start: number;
  readonly end: number;
  readonly label: Labels[number];
}

/**
 * Decodes the labels in a message. Consecutive series share most of their labels, so a label with the same bytes as the
 * label of the previous series at the same position is not decoded again.
 */
export class LabelDecoder {
  readonly #bytes: Buffer;
  readonly #previous: DecodedLabel[] = [];

  constructor(message: Uint8Array) {
    this.#bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  }

  /** Returns the label in the range [start, end), which is at `position` among the labels of its series. */
  decode(position: number, start: number, end: number): Labels[number] {
    const previous = this.#previous[position];
    if (previous && this.#isEqual(previous, start, end)) return previous.label;
    const label = parseLabel(this.#bytes, start, end);
    this.#previous[position] = { start, end, label };
    return label;
  }

  #isEqual({ start: first, end: last }: DecodedLabel, start: number, end: number): boolean {
    if (last - first !== end - start) return false;
    const bytes = this.#bytes;
    for (let at = 0; at < end - start; at++) if (bytes[first + at] !== bytes[start + at]) return false;
    return true;
  }
}

function parseLabel(bytes: Buffer, start: number, end: number): Labels[number] {
  let name = '';
  let value = '';
  readFields(bytes, start, end, {
    onRange: (field, from, to) => {
      const text = bytes.toString('utf8', from, to);
      if (field === 1) name = text;
      if (field === 2) value = text;
    },
  });
  return [name, value];
}
