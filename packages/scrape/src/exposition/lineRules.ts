import { Buffer } from 'node:buffer';
import { LineError } from './badLines.ts';
import { readMilliseconds } from './classicParser.ts';
import type { Exposition } from './exposition.ts';
import { readTail } from './openMetricsLine.ts';
import { allowsValue, findRole, type SampleRole } from './sampleRoles.ts';

/**
 * What the lines of a body may say behind name and labels, for a reader that looks at nothing else. What it does not allow
 * is not wrong yet: the format's own reader has to see it.
 */
export interface LineRules {
  /** Whether a sample, by its number in the body, may have this value. */
  allowValue(sample: number, value: number): boolean;
  /** Whether what stands behind its value and one blank may stand there. */
  allowTail(sample: number, bytes: Uint8Array, start: number, end: number): boolean;
}

/** The classic format: any number, and a timestamp in whole ms. */
export const CLASSIC_RULES: LineRules = {
  allowValue: () => true,
  allowTail: (_, bytes, start, end) => readMilliseconds(bytes, start, end) !== undefined,
};

/** OpenMetrics: what the sample's place in its family allows. */
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
