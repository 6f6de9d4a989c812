import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromPath, validate } from '../src/index.ts';
import { findSharedFolder } from './support/shared.ts';

/** Files of AIPerf that are not exports: configuration, inputs, progress and GPU telemetry. */
const OTHER_FILES =
  /(^|\/)(\.aiperf_results_ready|inputs|run_config|phase_manifest|phases\/\w+\/server_metrics)\.json$|gpu_telemetry_export\.jsonl$/;

const folder = findSharedFolder('peers/aiperf-0.13.0');
const names = folder
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      name => /\.(jsonl?|csv|parquet)$/.test(name) && !OTHER_FILES.test(name),
    )
  : [];

describe.skipIf(names.length === 0)('exports of AIPerf 0.13', () => {
  it.each(names)('%s is valid', async name => {
    const { valid, issues } = await validate(fromPath(join(folder!, name)));
    expect(issues.filter(({ rule }) => rule !== 'schema-version-newer')).toEqual([]);
    expect(valid).toBe(true);
  });
});
