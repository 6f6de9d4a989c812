import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fromPath, type PhaseServerMetrics, validate } from '@org/formats';
import { expect, test } from 'vitest';
import { type ProfilePlan, type ProfileResult, profile } from '../../src/index.ts';
import { createFolder, createProfilePlan, startSimulator } from '../plans.ts';

const url = await startSimulator();
const WARMUP = { warmup: { concurrency: 2, requestCount: 3 } } as const;

/** Lists the files in a folder and its subfolders. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}

interface Run {
  readonly result: ProfileResult;
  readonly files: readonly string[];
  readonly read: (name: string) => string;
  // biome-ignore lint/suspicious/noExplicitAny: the fields of each file are checked by the tests
  readonly readJson: (name: string) => any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly readLines: (name: string) => any[];
}

async function run(changes: Partial<ProfilePlan>, formatConsole = () => 'text'): Promise<Run> {
  const plan = createProfilePlan(url, { exports: { formats: ['json'] }, ...changes });
  const result = await profile(plan, { formatConsole });
  const read = (name: string): string => readFileSync(join(plan.folder, name), 'utf8');
  return {
    result,
    files: listFiles(plan.folder),
    read,
    readJson: name => JSON.parse(read(name)),
    readLines: name =>
      read(name)
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
  };
}

const FILES = [
  '.aiperf_results_ready.json',
  'inputs.json',
  'profile_export.jsonl',
  'profile_export_aiperf.csv',
  'profile_export_aiperf.json',
  'profile_export_console.txt',
  'server_metrics_export.json',
];
const PHASE_FILES = [
  'phase_manifest.json',
  'phases/profiling/profile_export_aiperf.csv',
  'phases/profiling/profile_export_aiperf.json',
  'phases/profiling/server_metrics.json',
  'phases/warmup/profile_export_aiperf.csv',
  'phases/warmup/profile_export_aiperf.json',
  'phases/warmup/server_metrics.json',
];

test.each([
  ['a run without a warm-up', {}, FILES],
  ['a run with a warm-up', WARMUP, [...FILES, ...PHASE_FILES]],
  [
    'a run with a prefix',
    { ...WARMUP, prefix: 'p', exportLevel: 'raw', exportOutputs: true },
    [
      '.aiperf_results_ready.json',
      'inputs.json',
      'outputs.json',
      'p.csv',
      'p.json',
      'p.jsonl',
      'p_console.txt',
      'p_raw.jsonl',
      'p_server_metrics.json',
      ...PHASE_FILES.map(name => name.replace('profile_export_aiperf', 'p')),
    ],
  ],
  ['a run with the level summary', { exportLevel: 'summary' }, FILES.filter(name => !/jsonl/.test(name))],
] as const)('%s writes the files of AIPerf, and each is valid', async (_, changes, expected) => {
  const { files, result } = await run(changes as Partial<ProfilePlan>);
  expect(files).toEqual([...expected].sort());
  expect(result.isWritten).toBe(true);
  const folder = join(result.server!.exports.results[0]!.path, '..');
  for (const name of files) {
    if (name.endsWith('.txt')) continue;
    const { issues } = await validate(fromPath(join(folder, name)));
    expect(issues, name).toEqual([]);
  }
});

test('the results of a run do not contain the warm-up, which has metrics of its own', async () => {
  const { readJson, readLines, read } = await run(WARMUP);
  const { request_count, warmup_metrics, is_complete, incomplete_reason } = readJson(
    'profile_export_aiperf.json',
  );
  expect(request_count.avg).toBe(10);
  expect(warmup_metrics.request_count.avg).toBe(3);
  expect([is_complete, incomplete_reason]).toEqual([true, undefined]);
  const phases = readLines('profile_export.jsonl').map(({ metadata }) => metadata.benchmark_phase);
  expect(phases.filter(phase => phase === 'warmup')).toHaveLength(3);
  expect(phases).toHaveLength(13);
  const manifest = readJson('phase_manifest.json');
  expect(manifest).toMatchObject({
    schema_version: 1,
    phases: [
      {
        phase_index: 0,
        profiling_index: null,
        phase_name: 'warmup',
        phase_kind: 'warmup',
        successful_request_count: 3,
        error_request_count: 0,
        total_request_count: 3,
        error_summary: [],
        was_cancelled: false,
        metrics_json: 'phases/warmup/profile_export_aiperf.json',
        metrics_csv: 'phases/warmup/profile_export_aiperf.csv',
        server_metrics_json: 'phases/warmup/server_metrics.json',
      },
      { phase_index: 1, profiling_index: 0, phase_name: 'profiling', successful_request_count: 10 },
    ],
  });
  const warmup = readJson('phases/warmup/profile_export_aiperf.json');
  expect(warmup.request_count.avg).toBe(3);
  expect(warmup).not.toHaveProperty('warmup_metrics');
  expect(warmup).not.toHaveProperty('load_generator');
  expect(readJson('phases/profiling/profile_export_aiperf.json').request_count.avg).toBe(10);
  expect(read('phases/warmup/profile_export_aiperf.csv')).toMatch(/^Request Count,3/m);
});

test('the server metrics of the phases add up to the whole run', async () => {
  const { readJson, result } = await run(WARMUP);
  const readTotal = (phase: string): number => {
    const { data } = readJson(`phases/${phase}/server_metrics.json`) as PhaseServerMetrics;
    const [endpoint] = Object.values(data!.endpoint_summaries!);
    const metrics = endpoint!.metrics as Record<string, { series: { stats: { total: number } }[] }>;
    return metrics['vllm:generation_tokens']!.series[0]!.stats.total;
  };
  const tokens = (metrics: Record<string, unknown>): number =>
    (metrics.total_usage_completion_tokens as { avg: number }).avg;
  const { document } = result;
  expect(readTotal('profiling')).toBe(tokens(document));
  expect(readTotal('warmup')).toBe(tokens(document.warmup_metrics as Record<string, unknown>));
});

test('inputs.json contains the requests of each conversation, the warm-up included', async () => {
  const { readJson, readLines } = await run({ ...WARMUP, exportLevel: 'raw' });
  const { data } = readJson('inputs.json') as { data: { session_id: string; payloads: unknown[] }[] };
  const sent = readLines('profile_export_raw.jsonl');
  expect(data.map(({ session_id: id }) => id).sort()).toEqual(
    sent.map(({ metadata }) => metadata.conversation_id).sort(),
  );
  for (const { metadata, payload } of sent) {
    const session = data.find(({ session_id: id }) => id === metadata.conversation_id)!;
    expect(session.payloads).toEqual([payload]);
  }
});

test('outputs.json contains the texts of the profiling requests, in order', async () => {
  const { readJson, readLines, files } = await run({ ...WARMUP, exportOutputs: true });
  const { schema_version: version, data } = readJson('outputs.json');
  expect(version).toBe('1.0');
  expect(data.map(({ session_num }: { session_num: number }) => session_num)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ]);
  const lines = readLines('profile_export.jsonl').filter(
    ({ metadata }) => metadata.benchmark_phase === 'profiling',
  );
  for (const output of data) {
    const { metadata, metrics } = lines.find(line => line.metadata.x_request_id === output.x_request_id);
    expect(output.request_start_ns).toBe(metadata.request_start_ns);
    expect(output.metrics.output_sequence_length).toBe(metrics.output_sequence_length.value);
    expect(output.response_text.split(' ').length).toBe(output.metrics.output_token_count);
  }
  expect(files).not.toContain('output_fragments.jsonl');
});

test('outputs.json uses the source of token counts that the run chose at its end', async () => {
  const { readJson, result } = await run({ exportOutputs: true, tokenCount: 'client' });
  const { data } = readJson('outputs.json');
  const lengths = data.map(
    (output: { metrics: Record<string, number> }) => output.metrics.input_sequence_length,
  );
  const { total_isl } = result.document as unknown as { total_isl: { avg: number } };
  expect(lengths.reduce((sum: number, length: number) => sum + length)).toBe(total_isl.avg);
});

test('a run that is cancelled is complete on disk, but its results are marked as incomplete', async () => {
  const controller = new AbortController();
  const plan = createProfilePlan(url, {
    ...WARMUP,
    profiling: { concurrency: 1, durationS: 60 },
    exports: { formats: ['json'] },
  });
  const result = await profile(plan, {
    signal: controller.signal,
    onEvent: event => {
      if (event.type === 'phase_changed' && event.phase === 'profiling')
        setTimeout(() => controller.abort(), 200);
    },
  });
  expect(result.document).toMatchObject({
    was_cancelled: true,
    is_complete: false,
    incomplete_reason: 'The run was cancelled before all requests ended.',
  });
  const read = (name: string) => JSON.parse(readFileSync(join(plan.folder, name), 'utf8'));
  expect(read('.aiperf_results_ready.json')).toEqual({ ready: true, was_cancelled: true, partial: false });
  expect(
    read('phase_manifest.json').phases.map((phase: { was_cancelled: boolean }) => phase.was_cancelled),
  ).toEqual([true, true]);
});

test('the marker is written last, and names files that could not be written', async () => {
  const folder = createFolder();
  const { readJson, result } = await run({ folder }, () => {
    // Written at the end of the run, after the exports.
    expect(existsSync(join(folder, '.aiperf_results_ready.json'))).toBe(false);
    return 'text';
  });
  const getTime = (name: string): number => statSync(join(folder, name)).mtimeMs;
  const times = listFiles(folder).map(getTime);
  expect(getTime('.aiperf_results_ready.json')).toBe(Math.max(...times));
  expect(readJson('.aiperf_results_ready.json')).toEqual({
    ready: true,
    was_cancelled: false,
    partial: false,
  });
  expect(result.isWritten).toBe(true);
});

test.each([
  'inputs.json',
  'outputs.json',
  'phase_manifest.json',
  'phases/warmup/server_metrics.json',
  'phases/profiling/profile_export_aiperf.json',
  'profile_export_console.txt',
])('if %s cannot be written, all other files are, and the marker names it', async name => {
  const folder = createFolder();
  mkdirSync(join(folder, name), { recursive: true });
  const { files, readJson, result } = await run({
    ...WARMUP,
    folder,
    exportLevel: 'raw',
    exportOutputs: true,
  });
  expect(result.isWritten).toBe(false);
  expect(readJson('.aiperf_results_ready.json')).toEqual({
    ready: true,
    was_cancelled: false,
    partial: true,
    failed_exporters: [basename(name)],
  });
  const expected = [...FILES, ...PHASE_FILES, 'outputs.json', 'profile_export_raw.jsonl'];
  expect(files).toEqual(expect.arrayContaining(expected.filter(file => file !== name)));
});

test('the marker of an earlier run is removed when a run starts', async () => {
  const folder = createFolder();
  await run({ folder });
  let wasPresent = true;
  await profile(createProfilePlan(url, { folder }), {
    onEvent: event => {
      if (event.type === 'load_started') wasPresent = existsSync(join(folder, '.aiperf_results_ready.json'));
    },
  });
  expect(wasPresent).toBe(false);
});

test('a run in a used folder removes the files of the earlier run that it does not write', async () => {
  const folder = createFolder();
  await run({ folder, ...WARMUP, exportLevel: 'raw', exportOutputs: true });
  const { files } = await run({ folder });
  expect(files).toEqual([...FILES].sort());
});

test('with worker threads, the same files are written', async () => {
  const { files, readJson } = await run({ ...WARMUP, workers: 2, exportLevel: 'raw', exportOutputs: true });
  expect(files).toEqual([...FILES, ...PHASE_FILES, 'outputs.json', 'profile_export_raw.jsonl'].sort());
  expect(readJson('inputs.json').data).toHaveLength(13);
  expect(readJson('outputs.json').data).toHaveLength(10);
});
