import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitLines } from '../../src/jsonl/lines.ts';

/** Splits a stream of chunks into lines: number, text, and whether the line ends with a line feed. */
async function readLines(chunks: readonly Uint8Array[]): Promise<[number, string, boolean][]> {
  const lines: [number, string, boolean][] = [];
  const stream = (async function* () {
    // Reuses one buffer for all chunks, as a file stream may do.
    const shared = Buffer.alloc(64);
    for (const chunk of chunks) {
      shared.set(chunk);
      yield shared.subarray(0, chunk.length);
    }
  })();
  for await (const { number, bytes, hasLineFeed } of splitLines(stream))
    lines.push([number, Buffer.from(bytes).toString(), hasLineFeed]);
  return lines;
}

it.each([
  ['within one chunk', [`${'x'.repeat(2 ** 26 + 1)}\n`]],
  ['in several chunks', ['x', 'x'.repeat(2 ** 26), '\n']],
  ['without a line feed', ['x'.repeat(2 ** 26 + 1)]],
])('rejects a line of more than 64 MiB %s', async (_, texts) => {
  const stream = (async function* () {
    for (const text of texts) yield Buffer.from(text);
  })();
  const reading = (async () => {
    for await (const _ of splitLines(stream));
  })();
  await expect(reading).rejects.toThrow('cannot read line 1: longer than 67108864 bytes');
});

it('splits at line feeds regardless of chunk boundaries', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.stringMatching(/^[ab\n]{0,9}$/)), async texts => {
      const expectedLines = texts.join('').split('\n');
      const expected = expectedLines.map((line, index) => [
        index + 1,
        line,
        index < expectedLines.length - 1,
      ]);
      if (expectedLines.at(-1) === '') expected.pop();
      expect(await readLines(texts.map(text => Buffer.from(text)))).toEqual(expected);
    }),
  );
});
