import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { fromPath } from '../../src/source/input.ts';
import { openSource } from '../../src/source/openSource.ts';

const folder = mkdtempSync(join(tmpdir(), 'formats-'));
const path = join(folder, 'export.json');
writeFileSync(path, '{"a": 1}');
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = new TextEncoder().encode('{"a": 1}');

describe('openSource', () => {
  it.each([
    ['a path', fromPath(path), path],
    ['a file URL', pathToFileURL(path), path],
    ['JSON text', '{"a": 1}', undefined],
    ['bytes', bytes, undefined],
    ['a buffer', bytes.buffer as ArrayBuffer, undefined],
    ['a view of a buffer', new DataView(bytes.buffer), undefined],
    ['a web stream', new Blob([bytes]).stream(), undefined],
    ['a stream of text', Readable.from(['{"a', '": 1}']), undefined],
    ['a Blob', new Blob([bytes]), undefined],
    ['a File', new File([bytes], 'x.json'), 'x.json'],
    ['bytes compressed with gzip', gzipSync(bytes), undefined],
  ])('opens %s', async (_, input, name) => {
    const source = await openSource(input);
    expect(source.name).toBe(name);
    expect(new TextDecoder().decode(source.head)).toBe('{"a": 1}');
    expect(new TextDecoder().decode(await source.bytes())).toBe('{"a": 1}');
  });

  it.each(['/etc/passwd', 'http://169.254.169.254/', 'file:///etc/passwd', 'Metric,avg', ' ', 'two\nlines'])(
    'treats the string %j as the text of a document, not as a path or URL',
    async text => {
      const source = await openSource(text);
      expect(source).toMatchObject({ name: undefined, file: undefined });
      expect(new TextDecoder().decode(await source.bytes())).toBe(text);
    },
  );

  it('removes the credentials of a URL from its name', async () => {
    await expect(openSource(new URL('ftp://user:secret@host/x.json'))).rejects.toThrow(
      'cannot read ftp://host/x.json:',
    );
  });

  it('returns an opened source as is', async () => {
    const source = await openSource(fromPath(path));
    expect(await openSource(source)).toBe(source);
  });

  it('rejects a URL with another scheme', async () => {
    await expect(openSource(new URL('ftp://host/x.json'))).rejects.toThrow(
      'cannot read ftp://host/x.json: expected a file:, http: or https: URL',
    );
  });
});
