import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { isUrl, openSource } from '../../src/source/openSource.ts';

const folder = mkdtempSync(join(tmpdir(), 'formats-'));
const path = join(folder, 'export.json');
writeFileSync(path, '{"a": 1}');
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = new TextEncoder().encode('{"a": 1}');

describe('openSource', () => {
  it.each([
    ['a path', path, path],
    ['a file URL', pathToFileURL(path), path],
    ['a file URL as a string', pathToFileURL(path).href, path],
    ['JSON text', '{"a": 1}', undefined],
    ['bytes', bytes, undefined],
    ['a buffer', bytes.buffer as ArrayBuffer, undefined],
    ['a stream', new Blob([bytes]).stream(), undefined],
  ])('opens %s', async (_, input, name) => {
    const source = await openSource(input);
    expect(source.name).toBe(name);
    expect(new TextDecoder().decode(source.head)).toBe('{"a": 1}');
    expect(new TextDecoder().decode(await source.bytes())).toBe('{"a": 1}');
  });

  it.each(['Endpoint,Type\n', 'Metric,avg', 'Timeslice,Metric', '# comment', '\ufeff[1]', ' ', 'two\nlines'])(
    'treats %j as the content, not as a path',
    async text => {
      expect((await openSource(text)).file).toBeUndefined();
    },
  );

  it('returns an opened source as is', async () => {
    const source = await openSource(path);
    expect(await openSource(source)).toBe(source);
  });

  it('rejects a URL with another scheme', async () => {
    await expect(openSource(new URL('ftp://host/x.json'))).rejects.toThrow(
      'cannot read ftp://host/x.json: expected a file:, http: or https: URL',
    );
  });
});

it.each([
  ['http://host/x', true],
  ['HTTPS://host/x', true],
  ['file:///x', true],
  ['ftp://host/x', false],
  ['C:\\x', false],
  ['http:', false],
])('isUrl(%j) is %s', (text, expected) => {
  expect(isUrl(text)).toBe(expected);
});
