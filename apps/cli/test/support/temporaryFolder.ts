import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Creates a folder that is removed after the current test. */
export function makeTestFolder(): string {
  const folder = makeFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Creates a folder that is removed after all tests of the calling file or `describe`. */
export function makeSuiteFolder(): string {
  const folder = makeFolder();
  afterAll(() => removeFolder(folder));
  return folder;
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'servelens-cli-'));
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
