import { dirname, resolve } from 'node:path';
import { describeSystemError, redactUrl } from '@org/core';
import {
  LIMIT_NAMES,
  parseExactTarget,
  parseMetricsTarget,
  parseServerTarget,
  readTextFile,
  type ScrapeLimits,
  type Target,
  TargetError,
} from '@org/scrape';
import { parseByteSize, UsageError } from '@org/terminal';
import {
  type Environment,
  type FileProblem,
  findSchemaProblems,
  formatPath,
  formatShown,
  type Path,
  UserFileError,
  YamlFile,
} from '@org/terminal/userFile';
import { AccessBuilder, SettingError } from '../accessBuilder.ts';
import {
  type AccessSettings,
  describeHeaderProblem,
  mergeSettings,
  type TargetSettings,
  type TlsSettings,
} from '../accessSettings.ts';
import type { DiscoverySettings, RequestSettings, SourceSettings } from '../discoverySettings.ts';
import { SourceError } from '../sources/sourceError.ts';
import { parseSourceSpec, redactSource } from '../sources/sourceSpec.ts';
import type { Config } from './config.ts';
import { readConfigSchema } from './configSchema.ts';
import { isRunKey, type RunDocument, splitDocument } from './runDocument.ts';

/** A valid configuration file. */
export interface ConfigFile {
  readonly config: Config;
  /** The endpoints of `config.targets`, in the same order, without their settings. */
  readonly targets: readonly Target[];
  /** Absolute paths of the definitions of servers. */
  readonly servers: readonly string[];
  /** The other keys of the file, if it describes a run. They are not validated. */
  readonly run?: RunDocument;
}

/**
 * The working directory for a relative path of the file, and the environment variables that replace `${NAME}`
 * in its values.
 */
export interface ConfigContext {
  readonly cwd: string;
  readonly env: Environment;
}

/**
 * Reads and validates a configuration file and the files named in it.
 *
 * @param path the path as the user typed it, which messages contain
 * @throws UsageError if the file cannot be read, UserFileError if it is invalid, with all problems found by the
 * first check that fails: syntax, schema, or values and files
 */
export function readConfigFile(path: string, { cwd, env }: ConfigContext): ConfigFile {
  const absolute = resolve(cwd, path);
  const file = new YamlFile(readText(absolute, path), env, isRunKey);
  const whole = file.problems.length === 0 ? file.toObject() : null;
  const { run, endpoints: value } = splitDocument(whole);
  const throwIfAny = (problems: readonly FileProblem[]): void => {
    if (problems.length > 0) throw new UserFileError(path, problems);
  };
  throwIfAny(file.problems);
  if (value === null)
    throw new UserFileError(path, [
      file.createProblem(
        [],
        'the file is empty; expected a mapping with defaults, targets, sources, discovery and servers, or benchmark',
      ),
    ]);
  throwIfAny(
    findSchemaProblems(file, value, {
      schema: readConfigSchema(),
      subject: 'configuration',
      formatScalar,
    }),
  );
  const config = resolveConfig(value as RawConfig, dirname(absolute));
  const problems: FileProblem[] = [];
  const targets = parseTargets(config, file, problems);
  checkSources(config, file, problems);
  checkHeaders(config, file, problems);
  checkFiles(config, file, problems);
  throwIfAny(problems);
  const servers = (value as RawConfig).servers ?? [];
  return {
    config,
    targets,
    servers: servers.map(each => resolve(dirname(absolute), each)),
    ...(run ? { run: { path, file, value: run } } : {}),
  };
}

/** A configuration as written in the file: limits may be sizes such as 64MiB, and paths may be relative. */
interface RawConfig {
  readonly defaults?: RawAccess | null;
  readonly targets?: readonly (RawAccess & { readonly url?: string; readonly server?: string })[];
  readonly sources?: readonly (RawAccess & { readonly source: string })[];
  readonly discovery?: DiscoverySettings | null;
  readonly servers?: readonly string[];
}

type RawAccess = Omit<AccessSettings, 'limits'> & { readonly limits?: Readonly<Record<string, unknown>> };

function resolveConfig({ defaults, targets, sources, discovery }: RawConfig, folder: string): Config {
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

/** Parses the URLs of targets. Adds invalid URLs, duplicate endpoints and conflicting credentials to `problems`. */
function parseTargets({ targets }: Config, file: YamlFile, problems: FileProblem[]): Target[] {
  const indices = new Map<string, number>();
  return targets.flatMap((settings, index) => {
    const key = settings.url === undefined ? 'server' : 'url';
    const path: Path = ['targets', index, key];
    const name = formatPath(path);
    try {
      const target = addLabels(parseTarget(settings), settings);
      const id = target.fetchUrl ?? target.url;
      const earlierIndex = indices.get(id);
      if (earlierIndex !== undefined)
        problems.push(
          file.createProblem(
            path,
            `${name} is ${target.url}, the same endpoint as targets[${earlierIndex}]; expected each endpoint once`,
          ),
        );
      indices.set(id, earlierIndex ?? index);
      if (target.credentials && hasCredentialSetting(settings))
        problems.push(
          file.createProblem(
            path,
            `${name} contains credentials, and other credentials are set for this target; expected only one`,
          ),
        );
      return [target];
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      problems.push(file.createProblem(path, `${name}: ${error.message}`));
      return [];
    }
  });
}

function parseTarget({ url, exact = false, server }: TargetSettings): Target {
  if (url === undefined) return parseServerTarget(server!);
  return exact ? parseExactTarget(url) : parseMetricsTarget(url);
}

function addLabels(target: Target, { labels }: TargetSettings): Target {
  return labels ? { ...target, labels } : target;
}

function hasCredentialSetting(settings: AccessSettings): boolean {
  const { bearer_token, bearer_token_file, basic_auth, basic_auth_file } = settings;
  return (bearer_token ?? bearer_token_file ?? basic_auth ?? basic_auth_file) !== undefined;
}

/** Parses the sources. Adds invalid ones to `problems`. */
function checkSources({ sources = [] }: Config, file: YamlFile, problems: FileProblem[]): void {
  for (const [index, { source }] of sources.entries()) {
    const path: Path = ['sources', index, 'source'];
    try {
      parseSourceSpec(source);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      problems.push(file.createProblem(path, `${formatPath(path)}: ${error.message}`));
    }
  }
}

/** Returns the settings of all targets and sources with their paths. */
function listEntries({ targets, sources = [] }: Config): [Path, AccessSettings][] {
  const list = (key: string, entries: readonly AccessSettings[]): [Path, AccessSettings][] =>
    entries.map((entry, index): [Path, AccessSettings] => [[key, index], entry]);
  const requests = sources.flatMap(({ request }, index): [Path, AccessSettings][] =>
    request ? [[['sources', index, 'request'], request]] : [],
  );
  return [...list('targets', targets), ...list('sources', sources), ...requests];
}

/** Checks headers. Adds headers that only the HTTP client may set to `problems`. */
function checkHeaders(config: Config, file: YamlFile, problems: FileProblem[]): void {
  const layers: [Path, AccessSettings][] = [[['defaults'], config.defaults], ...listEntries(config)];
  for (const [path, { headers = {} }] of layers) {
    for (const name of Object.keys(headers)) {
      const problem = describeHeaderProblem(name);
      const headersPath = [...path, 'headers'];
      if (problem !== undefined)
        problems.push(
          file.createKeyProblem(headersPath, name, `a header in ${formatPath(headersPath)} ${problem}`),
        );
    }
  }
}

/** Reads all files named in the configuration. Adds missing and invalid files to `problems`. */
function checkFiles(config: Config, file: YamlFile, problems: FileProblem[]): void {
  const { defaults } = config;
  const builder = new AccessBuilder();
  // `build` throws at the first problem, so TLS files and other files are checked separately.
  const splitTls = ({ tls, ...otherSettings }: AccessSettings): AccessSettings[] => [
    otherSettings,
    ...(tls ? [{ tls }] : []),
  ];
  const layers: [Path, AccessSettings][] = [
    ...splitTls(defaults).map((settings): [Path, AccessSettings] => [['defaults'], settings]),
    ...listEntries(config).flatMap(([path, entry]) =>
      splitTls(mergeSettings(defaults, entry)).map((settings): [Path, AccessSettings] => [path, settings]),
    ),
  ];
  const messages = new Set<string>();
  for (const [path, settings] of layers) {
    try {
      builder.build(settings);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      const layerPath = [...path, ...error.key];
      const settingPath = file.has(layerPath) ? layerPath : ['defaults', ...error.key];
      const message = error.formatMessage(formatPath(settingPath));
      if (!messages.has(message)) problems.push(file.createProblem(settingPath, message));
      messages.add(message);
    }
  }
}

function readText(path: string, shownPath: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    const shown = JSON.stringify(shownPath);
    throw new UsageError(`cannot read the configuration file ${shown}: ${describeSystemError(error)}`);
  }
}

/** Settings whose values are shown in messages. Values of other settings may be secrets. */
const PUBLIC_SETTING =
  /^(?:interval|timeout|compressed|insecure|ca_file|cert_file|key_file|\w+_token_file|password_file|basic_auth_file|\w+_bytes|samples|labels|username|servers|mode|label_selector|namespace|timeout_seconds|refresh|wait|optional|annotations|monitors|proxy|kubeconfig|context)$/;

/** Formats a value if it cannot be a secret, otherwise its type. */
function formatScalar(path: Path, value: unknown): string {
  const key = String(path.at(-1));
  if (key === 'url' || key === 'server') return JSON.stringify(redactUrl(String(value)));
  if (key === 'source') return JSON.stringify(redactSource(String(value)));
  if (PUBLIC_SETTING.test(key) && path.at(-2) !== 'headers') return formatShown(value);
  return typeof value === 'string' ? 'text (hidden)' : `a ${typeof value}`;
}
