import { Buffer } from 'node:buffer';
import { LineError } from './badLines.ts';
import { readMilliseconds } from './classicParser.ts';
import type { Exposition } from './exposition.ts';
import { readTail } from './openMetricsLine.ts';
import { allowsValue, findRole, type SampleRole } from './sampleRoles.ts';

/**
 * Decides whether a changed value, timestamp or exemplar is accepted without parsing the whole body again. A
 * rejected line is not necessarily invalid, but it must be read by the parser of the format.
 */
export interface LineRules {
  /** Reports whether a sample may have this value. `sample` is the index of the sample in the body. */
  allowValue(sample: number, value: number): boolean;
  /** Reports whether the bytes from `start` to `end`, after the value and one blank, are allowed. */
  allowTail(sample: number, bytes: Uint8Array, start: number, end: number): boolean;
}

/** The rules of the classic format: any number, and a timestamp in whole milliseconds. */
export const CLASSIC_RULES: LineRules = {
  allowValue: () => true,
  allowTail: (_, bytes, start, end) => readMilliseconds(bytes, start, end) !== undefined,
};

/** The rules of OpenMetrics, which depend on the role of the sample in its family. */
export class OpenMetricsRules implements LineRules {
  readonly #roles: (SampleRole | undefined)[] = [];

  constructor({ families }: Exposition) {
    for (const { name, type, samples } of families)
      for (const sample of samples) this.#roles.push(findRole(name, type, sample));
  }

  allowValue(sample: number, value: number): boolean {
    return allowsValue(this.#roles[sample] ?? {}, value);
  }

  allowTail(sample: number, bytes: Uint8Array, start: number, end: number): boolean {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
    try {
      const { exemplar } = readTail(text);
      return exemplar === undefined || this.#roles[sample]?.allowsExemplar === true;
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      return false;
    }
  }
}
