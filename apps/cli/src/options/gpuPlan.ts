import {
  type GpuMapEntry,
  type GpuTelemetryPlan,
  isGpuItem,
  isLocalHost,
  isServerOf,
  type Platform,
  parseGpuMapEntry,
} from '@org/gpu';
import {
  deduplicateTargets,
  parseMetricsTarget,
  type Target,
  TargetError,
  type TargetSource,
} from '@org/scrape';
import { UsageError } from '@org/terminal';
import { createOptionError, type RawOptions, readList } from '@org/terminal/program';

/** Ports of dcgm-exporter that AIPerf also tries. */
const DCGM_PORTS: readonly number[] = [9400, 9401];
/** The port of AMD's device-metrics-exporter. Other programs often use it, so it is tried only with `auto`. */
const AMD_PORT = 5000;

const ACCEPTED = 'auto, pynvml, amdsmi, or the URL of an exporter such as http://node1:9400/metrics';

/** The local source of each platform, by AIPerf's keyword. */
const COMMANDS: Readonly<Record<string, Platform>> = { pynvml: 'nvidia', amdsmi: 'amd' };

/**
 * Reads the sources of GPU telemetry. By default, the exporters and commands of this host are tried if a server runs on it.
 * Returns undefined if GPU telemetry is disabled. Throws `UsageError` if a source is invalid.
 */
export function readGpuPlan(
  raw: RawOptions,
  serverUrls: readonly string[],
  targets: readonly Target[],
  sources: readonly TargetSource[] = [],
): GpuTelemetryPlan | undefined {
  // AIPerf's dashboard shows the same sources on its screen.
  const items = readList(raw, 'gpu-telemetry').filter(item => item.toLowerCase() !== 'dashboard');
  const gpus = readGpus(raw);
  const map = readGpuMap(raw, targets, sources.length > 0);
  if (raw['no-gpu-telemetry'] === true) {
    const other = ['gpus', 'gpu-map', 'gpu-telemetry'].find(name => raw[name] !== undefined);
    if (other !== undefined) throw new UsageError(`cannot use both --${other} and --no-gpu-telemetry`);
    return undefined;
  }
  const hosts = listHosts(serverUrls);
  const isAuto = items.some(item => item.toLowerCase() === 'auto');
  const named = items.filter(item => item.toLowerCase() !== 'auto');
  const plan = { ...readNamedSources(named), gpus, ...(map.length > 0 ? { map } : {}) };
  const isLocal = hosts.some(isLocalHost);
  if (!isAuto && (named.length > 0 || !isLocal)) return { ...plan, probes: [], fallbacks: [] };
  return {
    ...plan,
    probes: isAuto ? listProbes(hosts, [...DCGM_PORTS, AMD_PORT]) : listProbes(['localhost'], DCGM_PORTS),
    fallbacks: isLocal && named.length === 0 ? ['nvidia', 'amd'] : [],
  };
}

function readGpus(raw: RawOptions): readonly string[] {
  const gpus = readList(raw, 'gpus');
  const invalid = gpus.find(item => !isGpuItem(item));
  if (invalid === undefined) return gpus;
  throw createOptionError(
    'gpus',
    invalid,
    'an index such as 0, a host and an index such as node1/0, or a UUID',
  );
}

/** Reads --gpu-map. Each entry must name another server whose metrics are scraped, unless a source may list it. */
function readGpuMap(
  raw: RawOptions,
  targets: readonly Target[],
  hasSources: boolean,
): readonly GpuMapEntry[] {
  const entries: GpuMapEntry[] = [];
  for (const text of readList(raw, 'gpu-map')) {
    const entry = parseGpuMapEntry(text);
    if (!entry) throw createOptionError('gpu-map', text, 'SERVER=GPU[,GPU...], such as localhost:8000=0,1');
    if (!hasSources && !targets.some(({ url }) => isServerOf(entry, url)))
      throw createOptionError(
        'gpu-map',
        text,
        `a server whose metrics are scraped, such as ${targets.map(({ url }) => new URL(url).host).join(', ') || 'none'}`,
      );
    if (entries.some(({ server }) => server === entry.server))
      throw new UsageError(`--gpu-map lists the server ${entry.server} twice; list its GPUs in one entry`);
    entries.push(entry);
  }
  return entries;
}

function readNamedSources(items: readonly string[]): Pick<GpuTelemetryPlan, 'exporters' | 'commands'> {
  const commands = items.flatMap(item => COMMANDS[item.toLowerCase()] ?? []);
  const urls = items.filter(item => COMMANDS[item.toLowerCase()] === undefined);
  if (commands.length > 0 && urls.length > 0)
    throw new UsageError(
      `cannot use both a local source and ${JSON.stringify(urls[0])} with --gpu-telemetry; expected either pynvml or amdsmi, or URLs`,
    );
  return { commands: [...new Set(commands)], exporters: deduplicateTargets(urls.map(parseExporter)) };
}

function parseExporter(item: string): Target {
  if (item.endsWith('.csv'))
    throw new UsageError(
      `invalid --gpu-telemetry ${JSON.stringify(item)}: files with custom metrics are not supported; all metrics that AIPerf records by default are recorded`,
    );
  if (!/^https?:/i.test(item) && !item.includes(':'))
    throw createOptionError('gpu-telemetry', item, ACCEPTED);
  try {
    return parseMetricsTarget(item);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    throw new UsageError(`--gpu-telemetry: ${error.message}`);
  }
}

function listProbes(hosts: readonly string[], ports: readonly number[]): readonly Target[] {
  return deduplicateTargets(
    hosts.flatMap(host => ports.map(port => parseMetricsTarget(`http://${host}:${port}/metrics`))),
  );
}

/** Lists the hosts of servers, with IPv6 addresses in brackets. */
function listHosts(urls: readonly string[]): readonly string[] {
  const hosts = urls.map(url => {
    const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
    return URL.canParse(text) ? new URL(text).hostname : '';
  });
  return [...new Set(hosts.filter(host => host !== ''))];
}
