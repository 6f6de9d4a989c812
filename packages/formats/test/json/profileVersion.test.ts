import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ProfileExport } from '../../src/index.ts';
import { parseJson } from '../../src/json/parse.ts';
import { downgradeProfileExport, PROFILE_EXPORT_VERSIONS } from '../../src/json/profileVersion.ts';
import { writeProfileExportJson } from '../../src/json/writeDocuments.ts';
import { validate } from '../../src/validate/validate.ts';

const sample = join(import.meta.dirname, '../files/valid/profile-export-1.3.json');
const document = parseJson(readFileSync(sample, 'utf8')).value as ProfileExport;

it.each(PROFILE_EXPORT_VERSIONS)(
  'writes a document of version %s without findings, even with strict',
  async version => {
    const text = writeProfileExportJson(document, { schemaVersion: version });
    expect(await validate(text, { strict: true })).toMatchObject({ version, valid: true, issues: [] });
  },
);

it.each([
  ['1.0', undefined, []],
  ['1.1', 20, []],
  [
    '1.2',
    20,
    ['random_seed', 'trial', 'run_label', 'variation_label', 'variation_index', 'variation_values'],
  ],
] as const)('a document of version %s omits the fields of later versions', (version, count, runFields) => {
  const older = downgradeProfileExport(document, version);
  expect((older.request_latency as { count?: number }).count).toBe(count);
  expect(Object.keys(older.run_info ?? {})).toEqual(runFields);
  expect(older.error_summary).toEqual(document.error_summary);
});

it('returns an equal document for the newest version', () => {
  expect(downgradeProfileExport(document, '1.3')).toEqual(document);
});

it('throws for an unknown version', () => {
  expect(() => downgradeProfileExport(document, '1.9' as never)).toThrow(
    'unknown schema version 1.9; expected one of 1.0, 1.1, 1.2, 1.3',
  );
});
