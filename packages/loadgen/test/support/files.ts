import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes a file to a temporary folder that is removed at the end of the test. Returns its path. */
export function writeTempFile(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-loadgen-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Writes a temporary JSONL file. Returns its path. */
export function writeJsonl(...lines: readonly unknown[]): string {
  return writeTempFile(
    'inputs.jsonl',
    lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
}
