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

const samples = join(import.meta.dirname, 'files/valid');
const names = readdirSync(samples);

/** Bytes that have a meaning for one of the parsers. */
const syntaxCharacters = [...'{}[]":,\\\n\r\0\t=#;-+.eE9\u00e9']
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
  kind: fc.constantFrom('replace', 'insert', 'remove', 'repeat', 'cut'),
  /** Offset and length as fractions of the file size. */
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 200 }),
  bytes: fc.constantFrom(...syntaxCharacters),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer M> ? M : never;

function mutate(bytes: Buffer, { kind, at, length, bytes: put }: Mutation): Buffer {
  const from = Math.floor(at * bytes.length);
  const before = bytes.subarray(0, from);
  const piece = bytes.subarray(from, from + length);
  const after = bytes.subarray(from + length);
  switch (kind) {
    case 'replace':
      return Buffer.concat([before, put, bytes.subarray(from + put.length)]);
    case 'insert':
      return Buffer.concat([before, put, piece, after]);
    case 'remove':
      return Buffer.concat([before, after]);
    case 'repeat':
      return Buffer.concat([before, piece, piece, after]);
    default:
      return before;
  }
}

async function drain(lines: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of lines);
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
  it.each(names)('%s is validated with messages, and read or rejected', async name => {
    const whole = readFileSync(join(samples, name));
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async mutations => {
        const bytes = mutations.reduce(mutate, whole);
        const { valid, issues } = await validate(bytes, { strict: true });
        expect(valid).toBe(issues.length === 0);
        for (const { rule, path, message } of issues) {
          expect(rule).toMatch(/^[a-z-]+$/);
          expect(path).not.toBe('');
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
  });
});
