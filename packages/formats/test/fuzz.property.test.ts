import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FormatError,
  isSourceError,
  readProfileAggregate,
  readProfileCollated,
  readProfileExport,
  readProfileMetrics,
  readProfileRecords,
  readProfileTimeslices,
  readRecords,
  readServerMetrics,
  readServerMetricsJson,
} from '../src/read.ts';
import { validate } from '../src/validate/validate.ts';

const samplesFolder = join(import.meta.dirname, 'files/valid');
const sampleNames = readdirSync(samplesFolder);

/** Byte sequences that are significant to one of the parsers. */
const syntaxBytes = [...'{}[]":,\\\n\r\0\t=#;-+.eE9\u00e9']
  .map(character => Buffer.from(character))
  .concat(
    [
      '__proto__',
      'null',
      '1e999',
      '-0',
      '99999999999999999999',
      'NaN',
      '"\ud83d\ude00"',
      '{"a":'.repeat(50),
      'Endpoint,',
      'Metric,',
    ].map(text => Buffer.from(text)),
    [Buffer.from([0xff]), Buffer.from([0xc3])],
  );

const mutation = fc.record({
  kind: fc.constantFrom('replace', 'insert', 'remove', 'repeat', 'truncate'),
  /** Offset as a fraction of the file size. */
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  /** Number of bytes to remove or repeat. */
  length: fc.integer({ min: 1, max: 200 }),
  bytes: fc.constantFrom(...syntaxBytes),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer M> ? M : never;

/** Returns the bytes with a mutation applied. */
function mutate(bytes: Buffer, { kind, at, length, bytes: replacement }: Mutation): Buffer {
  const from = Math.floor(at * bytes.length);
  const before = bytes.subarray(0, from);
  const piece = bytes.subarray(from, from + length);
  const after = bytes.subarray(from + length);
  switch (kind) {
    case 'replace':
      return Buffer.concat([before, replacement, bytes.subarray(from + replacement.length)]);
    case 'insert':
      return Buffer.concat([before, replacement, piece, after]);
    case 'remove':
      return Buffer.concat([before, after]);
    case 'repeat':
      return Buffer.concat([before, piece, piece, after]);
    default:
      return before;
  }
}

/** Reads all items and discards them. */
async function drain(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

const readers: readonly ((bytes: Uint8Array) => Promise<unknown>)[] = [
  readServerMetrics,
  readServerMetricsJson,
  bytes => drain(readRecords(bytes)),
  bytes => drain(readRecords(bytes, { onIssue: () => {} })),
  readProfileExport,
  readProfileMetrics,
  readProfileTimeslices,
  readProfileAggregate,
  readProfileCollated,
  bytes => drain(readProfileRecords(bytes)),
];

describe('corrupted files', () => {
  it.each(sampleNames)(
    'a mutated %s is validated with messages, and each reader reads or rejects it',
    async name => {
      const sampleBytes = readFileSync(join(samplesFolder, name));
      await fc.assert(
        fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async mutations => {
          const bytes = mutations.reduce(mutate, sampleBytes);
          const { valid, issues } = await validate(bytes, { strict: true });
          expect(valid).toBe(issues.length === 0);
          for (const { rule, place, message } of issues) {
            expect(rule).toMatch(/^[a-z-]+$/);
            expect(place).not.toBe('');
            expect(message).toMatch(/^\S.{8,}/s);
          }
          for (const read of readers) {
            const error = await read(bytes).then(
              () => undefined,
              (error: unknown) => error,
            );
            if (error instanceof FormatError) expect(error.message).toMatch(/^cannot read the text/);
            else if (error !== undefined && !isSourceError(error)) throw error;
          }
        }),
        { numRuns: 25 },
      );
      expect(Object.getPrototypeOf({})).toEqual({});
      expect(({} as Record<string, unknown>).own).toBeUndefined();
    },
  );
});
