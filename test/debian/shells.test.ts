import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../source.ts';

const SERVELENS = join(root, 'apps/cli/bin/servelens.js');

/** Lines before a tab, and the words that zsh completes them to. */
const LINES = [
  ['servelens pro', 'profile'],
  ['servelens read summ', 'read summary'],
  ['servelens profile --endpoint-type image_re', 'profile --endpoint-type image_retrieval'],
  ['servelens profile --endpoint-type=image_re', 'profile --endpoint-type=image_retrieval'],
  ['servelens read check --jun', 'read check --junit'],
] as const;

/** A letter and a backspace, before the same letter. */
const BOLD = new RegExp(`.${String.fromCharCode(8)}`, 'g');

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shells-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the output of a command to a file, and returns its path. */
function writeOutput(...args: readonly string[]): string {
  const file = join(folder, args.join('-'));
  writeFileSync(file, execFileSync(process.execPath, [SERVELENS, ...args], { encoding: 'utf8' }));
  return file;
}

describe('the completion in zsh', () => {
  test.each(LINES)('of %j is %j', (line, words) => {
    const script = join(root, 'test/debian/complete.py');
    const args = [script, writeOutput('completion', 'zsh'), line];
    expect(execFileSync('/usr/bin/python3', args, { encoding: 'utf8' })).toBe(`${words}\n`);
  });
});

describe('the manual page', () => {
  test('has no problem that mandoc finds, except that it has no date', () => {
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', writeOutput('man')], {
      encoding: 'utf8',
    });
    const problems = stdout.split('\n').filter(line => line !== '' && !line.includes('missing date'));
    expect(problems).toEqual([]);
  });

  test('shows the options and the exit codes of profile', () => {
    const text = execFileSync('mandoc', ['-T', 'ascii', writeOutput('man')], { encoding: 'utf8' })
      // Bold text is printed twice in one place.
      .replaceAll(BOLD, '');
    expect(text).toMatch(/^SERVELENS PROFILE$/m);
    expect(text).toMatch(/--request-count\b/);
    expect(text).toMatch(/128 \+ N/);
  });
});
