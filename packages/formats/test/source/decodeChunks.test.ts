import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeChunks } from '../../src/source/decodeChunks.ts';
import { decodeText } from '../../src/source/text.ts';

async function decodeInChunks(bytes: Uint8Array, size: number): Promise<string> {
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  let text = '';
  for await (const chunk of decodeChunks(chunks())) text += chunk;
  return text;
}

describe('decodeChunks', () => {
  it('decodes every text like the whole text, for every split into chunks', async () => {
    const text = fc.string({ unit: 'binary' });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (string, size) => {
        const bytes = new TextEncoder().encode(string);
        expect(await decodeInChunks(bytes, size)).toBe(decodeText(bytes));
      }),
    );
  });

  it('reports the same invalid byte as for the whole text', async () => {
    const bytes = fc
      .uint8Array({ maxLength: 12 })
      .map(array => array.map(byte => (byte < 100 ? byte : byte | 0x80)));
    await fc.assert(
      fc.asyncProperty(bytes, fc.integer({ min: 1, max: 5 }), async (array, size) => {
        const outcome = await decodeInChunks(array, size).catch((error: Error) => error.message);
        let expected: string;
        try {
          expected = decodeText(array);
        } catch (error) {
          expected = (error as Error).message;
        }
        expect(outcome).toBe(expected);
      }),
      { numRuns: 1500 },
    );
  });
});
