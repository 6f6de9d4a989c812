import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromPath, validate, validateFiles } from '../src/index.ts';
import { findSharedFolder } from './support/shared.ts';

const folder = findSharedFolder('peers/aiperf-0.13.0');
const names = folder
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      /\/.*\.(jsonl?|csv|parquet)$/.test(name),
    )
  : [];

describe.skipIf(names.length === 0)('files of AIPerf 0.13', () => {
  it.each(names)('%s is recognized and valid in strict mode', async name => {
    const { document, valid, issues } = await validate(fromPath(join(folder!, name)), { strict: true });
    expect(issues).toEqual([]);
    expect(valid).toBe(true);
    expect(document === 'not-checked').toBe(name.endsWith('run_config.json'));
  });

  it('are all found in their folder', async () => {
    const { outcomes } = await validateFiles({ files: [folder!] });
    const found = outcomes.map(({ file }) => file.slice(folder!.length + 1));
    expect(found.sort()).toEqual([...names].sort());
  });
});
