import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * The benchmarks of `npm run bench [-- NAME [OPTIONS...]]`, which runs one benchmark, or all benchmarks in
 * turn. Each benchmark prints its figures as JSON lines. Benchmarks that compare Servelens with another program
 * (the peer) also print the figures of that program.
 */
const BENCHMARKS: Readonly<Record<string, string>> = {
  accuracy: 'error of percentile estimates on runs with known percentiles',
  estimate: 'time per percentile estimate',
  store: 'bytes and time per stored sample',
  stats: 'time to compute the statistics of a long run',
  parse: 'time per scraped body, compared with prometheus_client',
  scrape: 'cost and punctuality of scraping many endpoints, compared with Prometheus',
  shards: 'cost of scraping thousands of endpoints with sharded collectors',
  journal: 'bytes and time per journaled sample',
  loadgen: 'throughput and accuracy of the load generator, compared with wrk',
  dashboard: 'cost of the terminal dashboard during a run',
  watch: 'time between the updates of the page of an active run, and its cost',
  push: 'cost of pushing values to monitoring systems during a run',
  metrics: 'time to compute the metrics of the load over time, compared with AIPerf',
  parquet: 'rows per second and file size, compared with @dsnp/parquetjs and DuckDB',
  query: 'time of SQL queries over a Parquet export, compared with DuckDB',
  dataset: 'time, size and query time of the Parquet dataset of many runs',
  reader: 'time to summarize and compare large exports, compared with Python',
  importer: 'time and memory to import an hour of 200 endpoints from Prometheus',
  import: 'time to import each entry of @org/formats',
  compare: 'false alarms and detected changes of comparisons of simulated runs',
  search: 'error and number of runs of searches on servers with a known boundary',
  saturation: 'time until an over-saturated load is ended, with and without server metrics',
  trend: 'false alarms and detected changes of trends of generated series',
  validate: 'memory and speed of validating large exports, compared with DuckDB and Python',
};

const [name, ...options] = process.argv.slice(2);
if (name !== undefined && !Object.hasOwn(BENCHMARKS, name)) {
  const list = Object.entries(BENCHMARKS).map(([key, summary]) => `  ${key.padEnd(12)}${summary}`);
  console.error(`unknown benchmark ${JSON.stringify(name)}; available benchmarks:\n${list.join('\n')}`);
  process.exit(2);
}

/** Maximum load average per core of a quiet machine, before a benchmark starts. */
const MAX_QUIET_LOAD = 0.25;

/** Prints the state of the machine, which determines whether times can be quoted. */
function printMachine(benchmark: string, moment: 'start' | 'end'): void {
  const [load] = loadavg();
  const cores = cpus();
  const machine = { cpu: cores[0]?.model, cores: cores.length, node: process.version, load_average: load };
  console.log(JSON.stringify({ bench: benchmark, figure: 'machine', moment, ...machine }));
  if (moment === 'start' && load! > MAX_QUIET_LOAD * cores.length)
    console.error(
      `the machine is not quiet (load average ${load!.toFixed(2)} on ${cores.length} cores): do not quote times and ratios of times from this run`,
    );
}

let exitCode = 0;
for (const benchmark of name === undefined ? Object.keys(BENCHMARKS) : [name]) {
  const script = fileURLToPath(new URL(`./${benchmark}/main.js`, import.meta.url));
  if (!existsSync(script)) throw new Error(`BUG: benchmark ${benchmark} has no script ${script}`);
  printMachine(benchmark, 'start');
  const { status } = spawnSync(process.execPath, ['--expose-gc', script, ...options], { stdio: 'inherit' });
  printMachine(benchmark, 'end');
  if (status !== 0) exitCode = status ?? 1;
}
process.exitCode = exitCode;
