import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeWriteError, writeFileAtomic } from '../../src/write.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'formats-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('writeFileAtomic', () => {
  it.each([
    ['a text', 'größer'],
    ['bytes', Buffer.from('größer')],
    ['pieces', ['grö', Buffer.from('ß'), 'er']],
    ['an empty text', ''],
  ])('writes %s', async (_, content) => {
    const path = join(folder, 'out.json');
    const expected = typeof content === 'string' ? content : 'größer';
    expect(await writeFileAtomic(path, content)).toEqual({
      ok: true,
      path,
      bytes: Buffer.byteLength(expected),
    });
    expect(readFileSync(path, 'utf8')).toBe(expected);
    expect(readdirSync(folder)).toEqual(['out.json']);
  });

  it('writes many chunks of an async iterable', async () => {
    const path = join(folder, 'out.jsonl');
    const pieces = (async function* () {
      for (let i = 0; i < 3000; i++) yield 'x'.repeat(1000);
    })();
    expect(await writeFileAtomic(path, pieces)).toMatchObject({ ok: true, bytes: 3_000_000 });
    expect(readFileSync(path).length).toBe(3_000_000);
  });

  it('keeps the existing file if the content throws', async () => {
    const path = join(folder, 'out.json');
    writeFileSync(path, 'before');
    const pieces = (function* () {
      yield 'half';
      throw new Error('cannot generate content');
    })();
    await expect(writeFileAtomic(path, pieces)).rejects.toThrow('cannot generate content');
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['out.json']);
  });

  it('follows a link', async () => {
    writeFileSync(join(folder, 'real'), 'before');
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    await writeFileAtomic(join(folder, 'link'), 'after');
    expect(readFileSync(join(folder, 'real'), 'utf8')).toBe('after');
    expect(readdirSync(folder).sort()).toEqual(['link', 'real']);
  });

  it('reports a missing folder', async () => {
    const path = join(folder, 'no/out.json');
    expect(await writeFileAtomic(path, 'x')).toMatchObject({ ok: false, path, reason: 'no_folder' });
  });

  it('reports other errors', async () => {
    expect(await writeFileAtomic(folder, 'x')).toMatchObject({ ok: false, reason: 'failed' });
  });

  it.each([
    ['ENOSPC', 'disk_full', 'the disk is full; free some space and export again'],
    [
      'EDQUOT',
      'quota_exceeded',
      'the disk quota of the user or group is exceeded; free some space and export again',
    ],
  ])('distinguishes a full disk from an exceeded quota: %s', (code, reason, text) => {
    const error = Object.assign(new Error(code), { code, syscall: 'write' });
    expect(describeWriteError('x.json', error)).toMatchObject({
      reason,
      message: `cannot write x.json: ${text}`,
    });
  });

  it.skipIf(!existsSync('/dev/full'))('reports a full disk', async () => {
    const result = await writeFileAtomic('/dev/full', 'x');
    expect(result).toMatchObject({
      ok: false,
      reason: 'disk_full',
      message: expect.stringContaining('disk is full'),
    });
  });
});
