import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fromPath } from '../../src/source/input.ts';
import { validate } from '../../src/validate/validate.ts';
import { testInvalidSamples } from '../support/samples.ts';

const samplesFolder = join(import.meta.dirname, '../files/valid');
const requests = readFileSync(join(samplesFolder, 'profile-export.jsonl'), 'utf8');
const scrapes = readFileSync(join(samplesFolder, 'server-metrics.jsonl'), 'utf8');

describe('JSON lines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'formats-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['server_metrics_export.jsonl', scrapes, 'server-metrics-jsonl'],
    ['profile_export.jsonl', requests, 'profile-export-jsonl'],
    ['server_metrics_export.jsonl', requests, 'profile-export-jsonl'],
    ['profile_export.jsonl', scrapes, 'server-metrics-jsonl'],
    ['profile_export.jsonl', '', 'profile-export-jsonl'],
    ['profile_export.jsonl', '\n\n', 'profile-export-jsonl'],
    ['other.jsonl', '', 'server-metrics-jsonl'],
  ])(
    'in %s are detected by their content, or by the file name if they are empty',
    async (name, text, document) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      expect(await validate(fromPath(path))).toMatchObject({ document, valid: true, issues: [] });
    },
  );

  it('are detected after an invalid line', async () => {
    const { document, issues } = await validate(`{"metadata": oops}\n${requests}`);
    expect(document).toBe('profile-export-jsonl');
    expect(issues).toMatchObject([{ rule: 'json-syntax', line: 1 }]);
  });

  it('with unknown content are reported once', async () => {
    const { document, issues } = await validate('{"a": 1}\n{"a": 2}\n');
    expect(document).toBe('unknown');
    expect(issues).toMatchObject([{ rule: 'document-unknown', line: 1 }]);
  });

  it('are reported with exact nanoseconds in messages and values', async () => {
    const text = requests.replace('1772000000000000000,"request_ack', '1772000000100000003,"request_ack');
    const { issues } = await validate(text);
    expect(issues[0]).toMatchObject({
      rule: 'request-times',
      message: 'is 1772000000100000000, before request_start_ns (1772000000100000003)',
      value: 1772000000100000000n,
    });
  });
});

testInvalidSamples('jsonl.json');
testInvalidSamples('profile-jsonl.json');
testInvalidSamples('raw-records.json');
testInvalidSamples('gpu-telemetry.json');
