import { spawnSync } from 'node:child_process';
import { env } from 'node:process';
import type { MetricsCost } from '../metrics/metricsCost.ts';

/** Path of a Python interpreter with AIPerf 0.13. SERVELENS_AIPERF_PYTHON overrides it. */
const PYTHON = env.SERVELENS_AIPERF_PYTHON ?? '/usr/bin/python3';

const SCRIPT = `
import json, resource, sys, time
from pathlib import Path
import numpy as np
from aiperf.metrics.accumulator_sweeps import compute_sweep_curves

folder = Path(sys.argv[1])
read = lambda name: np.fromfile(folder / f"{name}.f64")

class Gaps:
    SUPPORTS_PER_RECORD_REPLAY = True
    def __init__(self, values, count):
        self.values = values
        self.record_indices = np.repeat(np.arange(count, dtype=np.int32), len(values) // count)
        self.offsets = np.arange(count, dtype=np.int64) * (len(values) // count)

class Store:
    def __init__(self):
        self.start_ns, self.end_ns, self.generation_start_ns = read("starts"), read("ends"), read("firstTokens")
        self.count = len(self.start_ns)
        self.tokens = {"input_sequence_length": read("inputTokens"), "output_sequence_length": read("outputTokens")}
        self.gaps = Gaps(read("gaps"), self.count)
    def numeric(self, tag):
        return self.tokens[tag]
    def ragged_tags(self):
        return ["inter_chunk_latency"] if len(self.gaps.values) else []
    def ragged(self, tag):
        return self.gaps

store = Store()
begin, begin_wall = time.process_time(), time.perf_counter()
metrics = compute_sweep_curves(store).compute_metrics(0.0, float(store.end_ns.max()))
print(json.dumps({
    "cpuS": time.process_time() - begin,
    "wallS": time.perf_counter() - begin_wall,
    "peakRssMb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,
    "averages": {tag: result.avg for tag, result in metrics.items()},
}))
`;

/**
 * Measures the time that AIPerf's functions take to compute its metrics over time from the requests in a folder. If AIPerf
 * is not installed, prints a note to stderr and returns undefined.
 */
export function measureAiperf(folder: string): MetricsCost | undefined {
  const run = spawnSync(PYTHON, ['-c', SCRIPT, folder], { encoding: 'utf8' });
  if (run.error || run.stderr.includes('ModuleNotFoundError')) {
    console.error(`skipping the peer: ${PYTHON} has no AIPerf;`);
    console.error('set SERVELENS_AIPERF_PYTHON to a Python with AIPerf 0.13 (npm run peers installs it)');
    return undefined;
  }
  if (run.status !== 0) throw new Error(`AIPerf failed:\n${run.stderr}`);
  return JSON.parse(run.stdout.trim().split('\n').at(-1)!) as MetricsCost;
}
