import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzip } from '../../src/source/gzip.ts';
import { validate } from '../../src/validate/validate.ts';

const readSample = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../files', name));

async function* generateChunks(bytes: Uint8Array, count = 1): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield bytes;
}

describe('a file compressed with gzip', () => {
  it.each([
    'valid/server-metrics.json',
    'valid/server-metrics.jsonl',
    'valid/server-metrics.csv',
    'parquet/aiperf.parquet',
  ])('is validated like %s', async name => {
    const bytes = readSample(name);
    expect(await validate(gzipSync(bytes))).toEqual(await validate(bytes));
  });

  it.each([
    ['is truncated', (bytes: Buffer) => bytes.subarray(0, -20)],
    ['is corrupt', (bytes: Buffer) => Buffer.from(bytes).fill(0, 100, 200)],
  ])('is unreadable if it %s', async (_, change) => {
    const { valid, issues } = await validate(change(gzipSync(readSample('valid/server-metrics.json'))));
    expect(valid).toBe(false);
    expect(issues).toMatchObject([
      { rule: 'file-unreadable', message: expect.stringContaining('is corrupt or truncated') },
    ]);
  });

  it('is unreadable if it expands more than 200-fold', async () => {
    // 300 MB of spaces, compressed to 0.3 MB.
    const { issues } = await validate(gzipSync(Buffer.alloc(300_000_000, ' ')));
    expect(issues).toMatchObject([
      { rule: 'file-unreadable', message: expect.stringContaining('expands more than 200-fold') },
    ]);
  });

  it('may expand more if it is small', async () => {
    const spaces = Buffer.alloc(1_000_000, ' ');
    let length = 0;
    for await (const chunk of gunzip('x', generateChunks(gzipSync(spaces)))) length += chunk.length;
    expect(length).toBe(spaces.length);
  });

  it('is unreadable if it is compressed twice', async () => {
    const { issues } = await validate(gzipSync(gzipSync('{}')));
    expect(issues).toMatchObject([
      { rule: 'file-unreadable', message: 'cannot read gzip data; decompress it first' },
    ]);
  });
});

it('passes on errors of the compressed stream', async () => {
  async function* generateThenFail(): AsyncGenerator<Uint8Array> {
    yield gzipSync('text').subarray(0, 5);
    throw Object.assign(new Error('EIO'), { syscall: 'read' });
  }
  const reading = (async () => {
    for await (const _ of gunzip('x', generateThenFail()));
  })();
  await expect(reading).rejects.toMatchObject({ syscall: 'read' });
});

it('closes the compressed stream if the consumer stops', async () => {
  let isClosed = false;
  async function* generate(): AsyncGenerator<Uint8Array> {
    try {
      yield* generateChunks(gzipSync('text'), 1000);
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of gunzip('x', generate())) break;
  expect(isClosed).toBe(true);
});
