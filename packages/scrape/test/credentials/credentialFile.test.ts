import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CredentialFileError, readCredentialFile } from '../../src/credentials/credentialFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'credential-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('returns the text of a file', () => {
  const path = join(folder, 'text');
  writeFileSync(path, 'a\nb\n');
  expect(readCredentialFile('CA file', path)).toBe('a\nb\n');
});

test.each([
  ['missing', 'no such file or folder'],
  ['.', 'is a folder, not a file'],
])('names the purpose and the path of a file that cannot be read: %s', (name, reason) => {
  const path = join(folder, name);
  expect(() => readCredentialFile('CA file', path)).toThrow(
    expect.objectContaining({
      name: 'CredentialFileError',
      path,
      message: `invalid CA file ${JSON.stringify(path)}: ${reason}`,
    }),
  );
  expect(() => readCredentialFile('CA file', path)).toThrow(CredentialFileError);
});
