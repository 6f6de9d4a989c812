import { resolve } from 'node:path';
import { type Access, readTlsFiles, type TargetSource } from '@org/scrape';
import type { AccessBuilder } from '../accessBuilder.ts';
import { type AccessSettings, mergeSettings, type TlsSettings } from '../accessSettings.ts';
import {
  DISCOVERY_DEFAULTS,
  type DiscoverySettings,
  type RequestSettings,
  type SourceSettings,
} from '../discoverySettings.ts';
import { type OptionNaming, withUsageErrors } from '../usageErrors.ts';
import { AccessSource } from './accessSource.ts';
import { DnsSource } from './dnsSource.ts';
import { FileSource } from './fileSource.ts';
import type { RequestTls } from './httpRequest.ts';
import { HttpSource } from './httpSource.ts';
import type { Environment } from './kubernetes/environment.ts';
import { PrometheusSource } from './prometheusSource.ts';
import { parseSourceSpec, type SourceSpec } from './sourceSpec.ts';

/** Everything that describes the sources of a run. */
export interface DiscoveryInputs {
  readonly discovery: DiscoverySettings;
  readonly sources: readonly SourceSettings[];
  /** Settings of all endpoints in the configuration file. */
  readonly defaults: AccessSettings;
  /** Settings of all endpoints on the command line, which take precedence. */
  readonly options: AccessSettings;
  /** Headers and credentials of requests to the servers of all sources, which take precedence. */
  readonly request?: RequestSettings;
  readonly nameOption: OptionNaming;
  /** The working directory, for relative paths of sources. */
  readonly cwd: string;
  readonly env: Environment;
}

/** A valid source with the access parameters of its endpoints. */
export interface PreparedSource {
  readonly spec: SourceSpec;
  readonly access: Access;
  /** TLS parameters of requests to the server of the source. */
  readonly tls?: RequestTls;
  /** Headers and credentials of these requests. */
  readonly request?: Pick<Access, 'headers' | 'authorization'>;
}

/** Validates a source. Throws `UsageError` if it or one of its settings is invalid. */
export function prepareSource(
  { source, request, ...settings }: SourceSettings,
  inputs: DiscoveryInputs,
  builder: AccessBuilder,
): PreparedSource {
  const spec = parseSourceSpec(source);
  const access = buildSourceAccess(settings, inputs, builder);
  if (spec.kind === 'file_sd') return { spec: { ...spec, path: resolve(inputs.cwd, spec.path) }, access };
  const { tls } = mergeSettings(mergeSettings(inputs.defaults, settings), inputs.options);
  return {
    spec,
    access,
    ...(tls ? { tls: readRequestTls(tls) } : {}),
    ...prepareRequest(mergeSettings(request ?? {}, inputs.request ?? {}), inputs, builder),
  };
}

/** Builds the headers and credentials of requests to the server of a source, if there are any. */
function prepareRequest(
  settings: RequestSettings,
  { nameOption }: DiscoveryInputs,
  builder: AccessBuilder,
): Pick<PreparedSource, 'request'> {
  const nameRequestOption = (key: readonly string[]): string => nameOption([`discovery_${key.at(-1)}`]);
  const request = withUsageErrors(nameRequestOption, () => builder.build(settings));
  return Object.keys(request).length === 0 ? {} : { request };
}

/** Builds the access parameters of the endpoints of a source. */
export function buildSourceAccess(
  settings: AccessSettings,
  { defaults, options, nameOption }: DiscoveryInputs,
  builder: AccessBuilder,
): Access {
  return withUsageErrors(nameOption, () =>
    builder.build(mergeSettings(mergeSettings(defaults, settings), options)),
  );
}

/** Creates the source. */
export function createPreparedSource(
  { access, ...source }: PreparedSource,
  settings: DiscoverySettings,
): TargetSource {
  return new AccessSource(createSource(source, { ...DISCOVERY_DEFAULTS, ...settings }), access);
}

function createSource(
  { spec, tls, request: credentials }: Omit<PreparedSource, 'access'>,
  { refresh, timeout_seconds }: Required<Pick<DiscoverySettings, 'refresh' | 'timeout_seconds'>>,
): TargetSource {
  const refreshMs = refresh * 1000;
  if (spec.kind === 'file_sd') return new FileSource(spec.path, refreshMs);
  const { kind, url } = spec;
  if (kind === 'dns' || kind === 'srv')
    return new DnsSource({ records: kind === 'srv' ? 'srv' : 'address', url, refreshMs });
  const request = { url, ...credentials, timeoutMs: timeout_seconds * 1000, ...(tls ? { tls } : {}) };
  return kind === 'http_sd' ? new HttpSource(request, refreshMs) : new PrometheusSource(request, refreshMs);
}

/** Reads the TLS files of requests to the server of a source. `AccessBuilder` has checked them. */
function readRequestTls({ ca_file, cert_file, key_file, insecure }: TlsSettings): RequestTls {
  return {
    ...readTlsFiles({
      ...(ca_file === undefined ? {} : { caFile: ca_file }),
      ...(cert_file === undefined ? {} : { certFile: cert_file }),
      ...(key_file === undefined ? {} : { keyFile: key_file }),
    }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
  };
}
