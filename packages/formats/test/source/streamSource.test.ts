import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { openSource, readRecords, readServerMetrics } from '../../src/read.ts';
import { fromPath } from '../../src/source/input.ts';
import { openStreamSource } from '../../src/source/streamSource.ts';
import { validate } from '../../src/validate/validate.ts';

const samplesFolder = join(import.meta.dirname, '../files/valid');

async function* generateChunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

it('returns the first bytes as its head, and then all bytes', async () => {
  const source = await openStreamSource('x', generateChunks('ab', '', 'c'));
  expect(new TextDecoder().decode(source.head)).toBe('abc');
  expect(new TextDecoder().decode(await source.bytes())).toBe('abc');
});

it('reads no more than needed to detect the format', async () => {
  let chunkCount = 0;
  async function* generateEndlessly(): AsyncGenerator<Uint8Array> {
    for (;;) {
      chunkCount++;
      yield new Uint8Array(1000);
    }
  }
  const { head, stream } = await openStreamSource('x', generateEndlessly());
  expect([head.length, chunkCount]).toEqual([4096, 5]);
  for await (const _ of stream()) if (chunkCount === 7) break;
  expect(chunkCount).toBe(7);
});

it('rejects a stream as soon as it exceeds the maximum string length', async () => {
  async function* generateLongText(): AsyncGenerator<Uint8Array> {
    yield* generateChunks('{');
    // The operating system does not allocate memory that is never written.
    for (let i = 0; i < 10; i++) yield new Uint8Array(2 ** 27);
  }
  const { issues } = await validate(generateLongText());
  expect(issues).toMatchObject([
    { rule: 'file-unreadable', message: expect.stringContaining('larger than the 536870888 bytes') },
  ]);
});

it.each(['server-metrics.json', 'server-metrics.csv', 'server-metrics.jsonl', 'profile-export.jsonl'])(
  'validates a stream of %s like the file',
  async name => {
    const path = join(samplesFolder, name);
    const stream = createReadStream(path, { highWaterMark: 100 });
    expect(await validate(stream)).toEqual(await validate(fromPath(path)));
  },
);

it('a reader accepts a stream', async () => {
  const records = [];
  for await (const record of readRecords(createReadStream(join(samplesFolder, 'server-metrics.jsonl'))))
    records.push(record);
  expect(records.length).toBeGreaterThan(1);
});

it('a reader accepts an opened source', async () => {
  const path = join(samplesFolder, 'server-metrics.json');
  const source = await openSource(createReadStream(path, { highWaterMark: 100 }));
  expect(new TextDecoder().decode(source.head)).toContain('schema_version');
  expect(await openSource(source)).toBe(source);
  expect(await readServerMetrics(source)).toEqual(await readServerMetrics(fromPath(path)));
});

it('reports the error of a stream', async () => {
  const broken = Readable.from(generateChunks('{"a'), { objectMode: false });
  broken.destroy(new Error('gone'));
  const { issues } = await validate(broken);
  expect(issues).toMatchObject([{ rule: 'file-unreadable', message: 'cannot read the stream: gone' }]);
});

it.skipIf(process.platform === 'win32')('validates a pipe, which can be read only once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'formats-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const { writeFile } = await import('node:fs/promises');
  const [validation] = await Promise.all([
    validate(fromPath(pipe)),
    writeFile(pipe, readFileSync(join(samplesFolder, 'server-metrics.json'))),
  ]);
  expect(validation).toMatchObject({ document: 'server-metrics', valid: true });
  rmSync(folder, { recursive: true });
});
