import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file in a folder of its own that is gone when the test is over. */
export function file(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-loadgen-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A JSONL file. */
export function jsonl(...lines: readonly unknown[]): string {
  return file(
    'inputs.jsonl',
    lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
}
