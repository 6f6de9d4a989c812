import { resolve } from 'node:path';
import { formatDuration } from '@org/core';
import {
  type AccessSettings,
  DISCOVERY_DEFAULTS,
  DISCOVERY_MODES,
  type DiscoverySettings,
  isInCluster,
  type RequestSettings,
  type SourceSettings,
} from '@org/discovery';
import type { ConfigFile } from '@org/discovery/config';
import type { Discovery } from '@org/discovery/sources';
import { prepareLateImport } from '@org/run/lateImport';
import { UsageError } from '@org/terminal';
import type { Log } from '@org/terminal/live';
import {
  createOptionError,
  flag,
  type Io,
  type OptionTable,
  omitUndefined,
  option,
  type RawOptions,
  readList,
  readSeconds,
  readText,
} from '@org/terminal/program';
import { formatSettingOption, readCredentials } from './connection.ts';
import { isGiven, rejectIneffective } from './ineffective.ts';

/** Options for sources of endpoints. */
export const DISCOVERY_OPTIONS: OptionTable = {
  'server-metrics-source': option(
    'SOURCE',
    'Sources of endpoints that may change during the run: file_sd:FILE, http_sd:URL, dns:NAME:PORT, srv:NAME or prometheus:URL',
    { many: 'list' },
  ),
  discovery: option(
    'MODE',
    'Scrape the inference servers in the pods of a Kubernetes cluster: auto (only if the run is in a cluster), kubernetes or disabled; found pods replace the endpoints of --url',
    { choices: DISCOVERY_MODES, defaultText: 'auto' },
  ),
  'discovery-namespace': option('NAMESPACE', 'Namespace of the pods; * for all namespaces', {
    defaultText:
      'AIPERF_NAMESPACE, or the namespace of the service account, of the kubeconfig or of the host in --url',
  }),
  'discovery-label-selector': option('SELECTOR', 'Label selector of the pods, such as app=vllm', {
    defaultText: 'pods that AIPerf recognizes as inference servers',
  }),
  'discovery-annotations': flag(
    'Also scrape pods that only have the annotation prometheus.io/scrape: "true"',
  ),
  'discovery-monitors': flag(
    'Also scrape pods that PodMonitors and ServiceMonitors select, at the ports and paths of the monitors',
  ),
  'discovery-proxy': flag('Scrape pods through the proxy of the API server, for runs outside the cluster'),
  kubeconfig: option('FILE', 'Kubeconfig file of the cluster', {
    defaultText: 'KUBECONFIG, ~/.kube/config, or the service account of the pod',
  }),
  'kube-context': option('NAME', 'Context of the kubeconfig', { defaultText: 'the current context' }),
  'discovery-wait': option('SECONDS', 'Time to wait for the first endpoint of each source, in seconds', {
    defaultText: '0: a source without endpoints is an error',
  }),
  'discovery-optional': flag('Start the run even if a source has no endpoints'),
  'discovery-refresh': option(
    'SECONDS',
    'Time between reads of a source, in seconds; files and pods are also watched for changes',
    { defaultText: String(DISCOVERY_DEFAULTS.refresh) },
  ),
  'discovery-timeout': option('SECONDS', 'Timeout of a request to a source, in seconds', {
    defaultText: String(DISCOVERY_DEFAULTS.timeout_seconds),
  }),
  'discovery-header': option(
    "'NAME: VALUE'",
    'HTTP header to send to the servers of http_sd and prometheus',
    {
      many: 'repeat',
      isSecret: true,
    },
  ),
  'discovery-bearer-token-file': option(
    'FILE',
    'File with the bearer token for the servers of http_sd and prometheus; read again if it changes',
  ),
  'discovery-basic-auth-file': option(
    'FILE',
    'File with user:password for the servers of http_sd and prometheus; read again if it changes',
  ),
};

/** Names of all options for sources. */
const DISCOVERY_OPTION_NAMES: readonly string[] = Object.keys(DISCOVERY_OPTIONS);

/** Options for requests to the servers of sources. */
const REQUEST_OPTION_NAMES: readonly string[] = [
  ...['discovery-header', 'discovery-bearer-token-file', 'discovery-basic-auth-file'],
];

/** Options that only apply to pods. */
const KUBERNETES_OPTION_NAMES: readonly string[] = [
  ...['discovery-namespace', 'discovery-label-selector', 'discovery-annotations', 'discovery-monitors'],
  ...['discovery-proxy', 'kubeconfig', 'kube-context'],
];

/**
 * Reads the sources of endpoints from the options and the configuration file. Returns undefined if there are none.
 * Modules of sources are loaded only if there is one. Throws `UsageError` if an option is invalid.
 *
 * @param access the connection options, which apply to all endpoints
 */
export async function readDiscovery(
  raw: RawOptions,
  io: Io,
  access: AccessSettings,
  file?: ConfigFile,
): Promise<Discovery | undefined> {
  const discovery = { ...file?.config.discovery, ...readSettings(raw, io.cwd) };
  const named = readList(raw, 'server-metrics-source').map(source => ({ source }));
  const sources = [...named, ...(file?.config.sources ?? [])];
  const request = readSourceRequest(raw, io.cwd);
  const hasPods = findsPods(discovery, io);
  checkEffect(raw, discovery, sources, hasPods);
  if (raw['no-server-metrics'] === true) return undefined;
  if (sources.length === 0 && !hasPods) return undefined;
  prepareLateImport();
  const module = await import('@org/discovery/sources');
  const prepared = await module.Discovery.prepare({
    discovery,
    sources,
    defaults: file?.config.defaults ?? {},
    options: access,
    request,
    nameOption: formatSettingOption,
    cwd: io.cwd,
    env: io.env,
  });
  return prepared.hasSources ? prepared : undefined;
}

/** The endpoints that a run scrapes if its sources have none. */
export interface DiscoveryFallback {
  /** URLs of the servers under load. */
  readonly serverUrls: readonly string[];
  readonly hasFallback: boolean;
}

/**
 * Reads the first list of each source, so that a run without endpoints is not started. Throws `UsageError` if a source
 * cannot be read, or has no endpoints in time.
 */
export async function checkDiscovery(
  discovery: Discovery,
  fallback: DiscoveryFallback,
  log: Pick<Log, 'info'>,
): Promise<void> {
  const { waitSeconds } = discovery;
  if (waitSeconds > 0) log.info(`waiting up to ${formatDuration(waitSeconds)} for endpoints of the sources`);
  await discovery.check({ ...fallback, signal: new AbortController().signal });
}

function readSettings(raw: RawOptions, cwd: string): DiscoverySettings {
  const kubeconfig = readText(raw, 'kubeconfig', 'a file path');
  const readFlag = (name: string): boolean | undefined =>
    raw[name] === undefined ? undefined : raw[name] === true;
  return omitUndefined({
    mode: raw.discovery as DiscoverySettings['mode'],
    label_selector: readText(raw, 'discovery-label-selector', 'a label selector such as app=vllm'),
    namespace: readNamespace(raw),
    timeout_seconds: readSeconds(raw, 'discovery-timeout', 0.001),
    refresh: readSeconds(raw, 'discovery-refresh', 1),
    wait: readSeconds(raw, 'discovery-wait', 0),
    optional: readFlag('discovery-optional'),
    annotations: readFlag('discovery-annotations'),
    monitors: readFlag('discovery-monitors'),
    proxy: readFlag('discovery-proxy'),
    kubeconfig: kubeconfig === undefined ? undefined : resolve(cwd, kubeconfig),
    context: readText(raw, 'kube-context', 'the name of a context'),
  }) as DiscoverySettings;
}

/** Reads the headers and credentials of requests to the servers of sources. */
function readSourceRequest(raw: RawOptions, cwd: string): RequestSettings {
  return readCredentials(raw, cwd, {
    header: 'discovery-header',
    bearer: 'discovery-bearer-token-file',
    basic: 'discovery-basic-auth-file',
  });
}

function readNamespace(raw: RawOptions): string | undefined {
  const expected = 'the name of a namespace, or *';
  const namespace = readText(raw, 'discovery-namespace', expected)?.trim();
  if (namespace === undefined || /^(?:\*|[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)$/.test(namespace)) return namespace;
  throw createOptionError('discovery-namespace', namespace, expected);
}

/**
 * Reports whether pods are searched. As in AIPerf, the default is `auto`: in a cluster only. Outside, nothing of Kubernetes is
 * loaded.
 */
function findsPods({ mode }: DiscoverySettings, { env }: Pick<Io, 'env'>): boolean {
  return mode === undefined ? isInCluster(env) : mode !== 'disabled';
}

/** Throws `UsageError` if an option is set that has no effect. */
function checkEffect(
  raw: RawOptions,
  settings: DiscoverySettings,
  sources: readonly Pick<SourceSettings, 'source'>[],
  hasPods: boolean,
): void {
  const given = DISCOVERY_OPTION_NAMES.filter(name => isGiven(raw, name));
  if (raw['no-server-metrics'] === true && given[0] !== undefined && raw.discovery !== 'disabled')
    throw new UsageError(`cannot use both --${given[0]} and --no-server-metrics`);
  const sourceCount = sources.length;
  rejectIneffective(raw, [
    {
      options: KUBERNETES_OPTION_NAMES,
      when: !hasPods,
      reason: 'without pods; add --discovery kubernetes',
    },
    {
      options: ['discovery-refresh'],
      when: sourceCount === 0,
      reason: 'without a source that is read again; add --server-metrics-source',
    },
    {
      options: ['discovery-wait', 'discovery-optional', 'discovery-timeout'],
      when: !hasPods && sourceCount === 0,
      reason: 'without a source; add --server-metrics-source or --discovery kubernetes',
    },
    {
      options: REQUEST_OPTION_NAMES,
      when: !sources.some(({ source }) => /^\s*(?:http[_-]sd|prometheus):/.test(source)),
      reason: 'without a source on a server; add --server-metrics-source http_sd:URL or prometheus:URL',
    },
    {
      options: ['discovery-annotations'],
      when: settings.label_selector !== undefined,
      reason: 'with a label selector, which selects pods whether or not they have the annotation',
    },
  ]);
}
