import { spawnSync } from 'node:child_process';
import { env } from 'node:process';
import type { ExpositionFormat } from '@org/scrape/exposition';

/** The bodies of one measurement, in files that prometheus_client parses in order. */
export interface ParseTask {
  readonly name: string;
  readonly format: ExpositionFormat;
  readonly files: readonly string[];
}

/**
 * Path of a Python interpreter with prometheus_client, for example from Debian's package python3-prometheus-client.
 * SERVELENS_PYTHON overrides it.
 */
const PYTHON = env.SERVELENS_PYTHON ?? '/usr/bin/python3';

const SCRIPT = `
import json, sys, time
from prometheus_client.parser import text_string_to_metric_families as classic
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics

def measure_round(read, texts):
    begin = time.process_time()
    for text in texts:
        for family in read(text):
            pass
    return (time.process_time() - begin) / len(texts)

for task in json.load(sys.stdin):
    read = openmetrics if task["format"] == "openmetrics" else classic
    texts = [open(file, encoding="utf-8", newline="").read() for file in task["files"]]
    measure_round(read, texts)
    times, end = [], time.process_time() + 0.4
    while len(times) < 5 or time.process_time() < end:
        times.append(measure_round(read, texts))
    times.sort()
    print(json.dumps({"name": task["name"], "us": times[len(times) // 2] * 1e6}), flush=True)
`;

/**
 * Measures the CPU time that prometheus_client takes to parse a body, in microseconds, as the median of many
 * rounds. Returns the times by task name. If prometheus_client is not installed, prints a note to stderr and
 * returns undefined.
 */
export function measurePrometheusClient(
  tasks: readonly ParseTask[],
): ReadonlyMap<string, number> | undefined {
  const run = spawnSync(PYTHON, ['-c', SCRIPT], { input: JSON.stringify(tasks), encoding: 'utf8' });
  if (run.error || run.stderr.includes('ModuleNotFoundError')) {
    console.error(`skipping the peer: ${PYTHON} has no prometheus_client;`);
    console.error('install it with: apt-get install python3-prometheus-client (or set SERVELENS_PYTHON)');
    return undefined;
  }
  if (run.status !== 0) throw new Error(`prometheus_client failed:\n${run.stderr}`);
  const lines = run.stdout.trim().split('\n');
  return new Map(
    lines.map(line => JSON.parse(line) as { name: string; us: number }).map(({ name, us }) => [name, us]),
  );
}
