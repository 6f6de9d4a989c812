import { describe, expect, it } from 'vitest';
import { isUncheckedFile } from '../../src/validate/uncheckedFile.ts';
import { validate } from '../../src/validate/validate.ts';

const LOG = '2026-11-23 11:51:33.232 - aiperf.cli_runner._single_run - INFO - Starting AIPerf System\n';
const TABLE = '\n\n          NVIDIA AIPerf | LLM Metrics: Effective\n┏━━━━━┳━━━━━┓\n';

describe("AIPerf's own files", () => {
  it.each([
    ['a configuration', '{\n  "benchmark_id": "4b",\n  "sweep_id": "30",\n  "cfg": {', 'run_config.json'],
    ['a configuration outside of a sweep', '{"benchmark_id": "4b", "cfg": {', undefined],
    ['the mark of an unfinished export', '{"processing":true}', '.aiperf_results_processing.json'],
    ['a log', LOG, undefined],
    ['an empty log', '', 'logs/aiperf.log'],
    ['the console text', TABLE, undefined],
    ['an empty console text', '', 'mine_console.txt'],
    ['a search history', '{', 'search_history.json'],
    ['a breach of limits', '{', 'sweep_aggregate/sla_breach.json'],
    ['a knee', '{', 'degradation_knee.json'],
    ['a prefill curve', '{', 'prefill_curve.json'],
    ['a decode surface', '{', 'decode_itl_surface.json'],
    ['a Pareto front', '{', 'pareto_sweep.json.gz'],
    ['network latencies', '{"rtt_ns":1}\n', 'mine_network_latency.jsonl'],
    ['outputs of an unfinished run', '{"session_num":0}\n', 'output_fragments_record_processor_1.jsonl'],
  ])('are recognized: %s', async (_, text, name) => {
    expect(isUncheckedFile({ head: new TextEncoder().encode(text), name })).toBe(true);
  });

  it.each([
    ['a profile export', '{"schema_version":"1.4","aiperf_version":"0.13.0"}', 'profile_export_aiperf.json'],
    ['a CSV with a comment', '# AIPerf Server Metrics Export (CSV)\n', 'server_metrics_export.csv'],
    ['a search history with a schema', '{\n  "schema_version": "1.0",', 'search_history.json'],
    ['another configuration', '{"models": ["m"]}', 'run_config.json'],
    ['a file with a similar name', '{}', 'my_sla_breach.json'],
    ['a text that mentions AIPerf', '{"note": "NVIDIA AIPerf | LLM Metrics"}', 'note.txt'],
  ])('are not mistaken for %s', (_, text, name) => {
    expect(isUncheckedFile({ head: new TextEncoder().encode(text), name })).toBe(false);
  });

  it('are reported as not checked', async () => {
    expect(await validate(LOG)).toEqual({
      document: 'not-checked',
      version: null,
      valid: true,
      issues: [],
      moreIssues: 0,
    });
  });
});
