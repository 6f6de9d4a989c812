import { resolve } from 'node:path';
import { LIMIT_NAMES, type ScrapeLimits } from '@org/scrape';
import { parseByteSize } from '@org/terminal';
import type { AccessSettings, TargetSettings, TlsSettings } from '../accessSettings.ts';
import type { DiscoverySettings, RequestSettings, SourceSettings } from '../discoverySettings.ts';
import type { Config } from './config.ts';

/** A configuration as written in the file: limits may be sizes such as 64MiB, and paths may be relative. */
export interface RawConfig {
  readonly defaults?: RawAccess | null;
  readonly targets?: readonly (RawAccess & { readonly url?: string; readonly server?: string })[];
  readonly sources?: readonly (RawAccess & { readonly source: string })[];
  readonly discovery?: DiscoverySettings | null;
  readonly servers?: readonly string[];
}

type RawAccess = Omit<AccessSettings, 'limits'> & { readonly limits?: Readonly<Record<string, unknown>> };

/** Makes the paths of a configuration absolute, relative to the folder of its file, and parses its limits. */
export function resolveConfig({ defaults, targets, sources, discovery }: RawConfig, folder: string): Config {
  return {
    defaults: resolveSettings(defaults ?? {}, folder),
    targets: (targets ?? []).map(target => resolveSettings(target, folder) as TargetSettings),
    ...(sources ? { sources: sources.map(source => resolveSource(source, folder)) } : {}),
    ...(discovery ? { discovery: resolveDiscovery(discovery, folder) } : {}),
  };
}

/** Makes the path of a source of files absolute. */
function resolveSource(
  { source, request, ...settings }: RawAccess & { source: string; request?: RequestSettings },
  folder: string,
): SourceSettings {
  const [, path] = /^\s*file[_-]sd:\s*(\S.*)$/s.exec(source) ?? [];
  return {
    ...resolveSettings(settings, folder),
    ...(request ? { request: resolveSettings(request, folder) } : {}),
    source: path === undefined ? source : `file_sd:${resolve(folder, path.trimEnd())}`,
  };
}

function resolveDiscovery({ kubeconfig, ...settings }: DiscoverySettings, folder: string): DiscoverySettings {
  return kubeconfig === undefined ? settings : { ...settings, kubeconfig: resolve(folder, kubeconfig) };
}

function resolveSettings(raw: RawAccess, folder: string): AccessSettings {
  const {
    limits,
    tls,
    basic_auth: basic,
    bearer_token_file: tokenFile,
    basic_auth_file: basicFile,
    ...otherSettings
  } = raw;
  const toAbsolute = (path: string): string => resolve(folder, path);
  const password =
    basic?.password_file === undefined ? {} : { password_file: toAbsolute(basic.password_file) };
  return {
    ...otherSettings,
    ...(tokenFile === undefined ? {} : { bearer_token_file: toAbsolute(tokenFile) }),
    ...(basicFile === undefined ? {} : { basic_auth_file: toAbsolute(basicFile) }),
    ...(basic ? { basic_auth: { ...basic, ...password } } : {}),
    ...(tls ? { tls: resolveTls(tls, toAbsolute) } : {}),
    ...(limits ? { limits: parseLimits(limits) } : {}),
  };
}

function resolveTls(tls: TlsSettings, toAbsolute: (path: string) => string): TlsSettings {
  const entries = Object.entries(tls).map(([key, value]) => [
    key,
    typeof value === 'string' ? toAbsolute(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function parseLimits(raw: Readonly<Record<string, unknown>>): Partial<ScrapeLimits> {
  const entries = Object.entries(LIMIT_NAMES).flatMap(([field, name]) =>
    raw[name] === undefined ? [] : [[field, parseByteSize(raw[name])]],
  );
  return Object.fromEntries(entries);
}
