import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'bin/formats.js');
const isBuilt = existsSync(join(root, 'dist/bin.js'));
if (!isBuilt) console.warn('skipped: the commands of the README run from dist, which is not built');

/** Files that the README speaks of, and the samples that they are. */
const files = {
  'server_metrics_export.json': 'server-metrics.json',
  'server_metrics_export.csv': 'server-metrics.csv',
  'profile_export_aiperf.json': 'profile-export-1.3.json',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'formats-'));
  for (const [name, sample] of Object.entries(files))
    copyFileSync(join(root, 'test/files/valid', sample), join(folder, name));
  const text = readFileSync(join(folder, 'server_metrics_export.json'), 'utf8');
  const broken = text
    .replace('"+Inf": 50\n', '"+Inf": 49\n')
    .replace('"p99_estimate": 0.092\n', '"p99_estimat": 0.092\n');
  writeFileSync(join(folder, 'broken.json'), broken);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const commands = [...readme.matchAll(/```console\n\$ formats (.*)\n([\s\S]*?)```/g)].map(
  ([, args, output]) => [args!, output!] as const,
);

describe.skipIf(!isBuilt)('the README prints what is printed', () => {
  it.each(commands)('formats %s', (args, output) => {
    const { stdout } = spawnSync(process.execPath, [bin, ...args.split(' ')], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toBe(output);
  });
});
