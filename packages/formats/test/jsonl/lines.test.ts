import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitLines } from '../../src/jsonl/lines.ts';

async function readLines(pieces: readonly Uint8Array[]): Promise<[number, string, boolean][]> {
  const out: [number, string, boolean][] = [];
  const stream = (async function* () {
    // Reuses one buffer for all chunks, as a file stream may do.
    const shared = Buffer.alloc(64);
    for (const piece of pieces) {
      shared.set(piece);
      yield shared.subarray(0, piece.length);
    }
  })();
  for await (const { number, bytes, hasLineFeed } of splitLines(stream))
    out.push([number, Buffer.from(bytes).toString(), hasLineFeed]);
  return out;
}

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
