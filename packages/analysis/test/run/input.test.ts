import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openInput } from '../../src/run/input.ts';
import { openRun } from '../../src/run/openRun.ts';
import { createCounter, createDocument, createMetric, createTempFolder, toJson } from '../documents.ts';

const { path: root, remove } = createTempFolder('input');
afterAll(remove);

// These names could be mistaken for the content of a file.
test.each(['#1', '[a]', '{b}', 'Metric,c', 'two\nlines', ' '])('opens a folder named %j', async name => {
  const folder = join(root, name);
  const file = join(folder, 'server_metrics_export.json');
  mkdirSync(folder);
  writeFileSync(
    file,
    toJson(createDocument({ requests: createMetric('counter', [createCounter(100)], 'requests') })),
  );
  const before = process.cwd();
  process.chdir(root);
  try {
    const relativePath = relative(root, file);
    expect((await openInput(relativePath)).name).toBe(relativePath);
    for (const given of [name, relativePath])
      expect([...(await openRun(given)).families.keys()]).toEqual(['requests']);
  } finally {
    process.chdir(before);
  }
});

test('throws a file system error for a missing file', async () => {
  await expect(openInput(join(root, 'none.json'))).rejects.toThrow(/ENOENT/);
});
