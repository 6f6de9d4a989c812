import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `npm run bench [-- NAME [OPTIONS...]]`: runs one benchmark, or all of them one after the other. Each prints one JSON line
 * per figure, with our value, the peer's and the ratio where there is a peer.
 */
const BENCHMARKS: Readonly<Record<string, string>> = {
  accuracy: 'error of percentile estimates on runs with known truth',
  estimate: 'time per estimate',
  store: 'bytes and time per stored sample',
  stats: 'time for the statistics of a long run',
  parse: 'time per scraped body, beside prometheus_client',
  scrape: 'cost and punctuality of scraping many endpoints, beside Prometheus',
  journal: 'bytes and time per journaled sample',
  loadgen: 'what one client can load, and how exactly it measures, beside wrk',
  parquet: 'rows per second and file size, beside @dsnp/parquetjs and DuckDB',
  query: 'time of SQL over a Parquet export, beside DuckDB itself',
  reader: 'time of a summary and a comparison of large exports, beside Python',
  import: 'time to import each entry of @org/formats',
  validate: 'memory and speed of validating large exports, beside DuckDB and Python',
};

const [name, ...options] = process.argv.slice(2);
if (name !== undefined && !Object.hasOwn(BENCHMARKS, name)) {
  const list = Object.entries(BENCHMARKS).map(([known, what]) => `  ${known.padEnd(10)}${what}`);
  console.error(`no benchmark ${JSON.stringify(name)}; there are\n${list.join('\n')}`);
  process.exit(2);
}

let failed = 0;
for (const one of name === undefined ? Object.keys(BENCHMARKS) : [name]) {
  const script = fileURLToPath(new URL(`./${one}.js`, import.meta.url));
  if (!existsSync(script)) throw new Error(`BUG: benchmark ${one} has no script ${script}`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', script, ...options], { stdio: 'inherit' });
  if (status !== 0) failed = status ?? 1;
}
process.exitCode = failed;
