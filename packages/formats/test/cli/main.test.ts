import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const bin = join(import.meta.dirname, '../../bin/servelens-validate.js');
const sample = join(import.meta.dirname, '../files/valid/server-metrics.json');
const isBuilt = existsSync(join(import.meta.dirname, '../../dist/cli/main.js'));
if (!isBuilt) console.warn('skipped: the tests of the command need dist; build the package first');

function runCommand(args: readonly string[], input = ''): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { input, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

describe.skipIf(!isBuilt)('servelens-validate', () => {
  it('validates a file', () => {
    expect(runCommand([sample])).toEqual({ code: 0, out: `✓ ${sample}  server-metrics 1.0\n`, err: '' });
  });

  it('validates standard input and prints findings as JSON', () => {
    const { code, out } = runCommand(['--json', '-'], readFileSync(sample, 'utf8').replace('"1.0"', '1'));
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      files: [
        { file: '-', issues: [{ rule: 'field-type', path: ['schema_version'], place: '.schema_version' }] },
      ],
    });
  });

  it.each([
    ['no files', [], 'missing FILE; expected at least one file, folder or URL; see --help'],
    ['an unknown option', ['--what', 'x'], 'servelens-validate: unknown option --what; see --help\n'],
    ['two formats', ['--json', '--junit', 'x'], 'cannot use both --json and --junit'],
  ])('exits with code 2 for %s', (_, args, message) => {
    const { code, err } = runCommand(args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
  });

  it('prints its help', () => {
    expect(runCommand(['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Usage: servelens-validate'),
    });
  });
});
