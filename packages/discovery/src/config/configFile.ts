import { dirname, resolve } from 'node:path';
import {
  LIMIT_NAMES,
  parseMetricsTarget,
  parseServerTarget,
  type ScrapeLimits,
  type Target,
  TargetError,
} from '@org/scrape';
import { parseByteSize } from '@org/terminal';
import { AccessBuilder, SettingError } from '../accessBuilder.ts';
import {
  type AccessSettings,
  type Config,
  describeHeaderProblem,
  mergeSettings,
  type TargetSettings,
  type TlsSettings,
} from '../accessSettings.ts';
import { ConfigError, type ConfigProblem } from './configProblem.ts';
import { findSchemaProblems, formatPath } from './schemaProblems.ts';
import { type Environment, type Path, YamlFile } from './yamlFile.ts';

/** A valid configuration file. */
export interface ConfigFile {
  readonly config: Config;
  /** The endpoints of `config.targets`, in the same order, without their settings. */
  readonly targets: readonly Target[];
}

/** The context of a configuration file: the folder for relative paths, and the environment variables for its values. */
export interface ConfigContext {
  readonly cwd: string;
  readonly env: Environment;
}

/**
 * Reads and validates a configuration file and the files that it names.
 *
 * @param path as the user typed it; messages contain it
 * @throws UsageError if the file cannot be read, ConfigError with all problems if it is invalid
 */
export function readConfigFile(path: string, { cwd, env }: ConfigContext): ConfigFile {
  const absolute = resolve(cwd, path);
  const file = new YamlFile(absolute, path, env);
  const value = file.problems.length === 0 ? file.toObject() : null;
  const throwIfAny = (problems: readonly ConfigProblem[]): void => {
    if (problems.length > 0) throw new ConfigError(path, problems);
  };
  throwIfAny(file.problems);
  if (value === null)
    throw new ConfigError(path, [
      file.createProblem([], 'the file is empty; expected a mapping with defaults and targets'),
    ]);
  throwIfAny(findSchemaProblems(file, value));
  const config = resolveConfig(value as RawConfig, dirname(absolute));
  const problems: ConfigProblem[] = [];
  const targets = parseTargets(config, file, problems);
  checkHeaders(config, file, problems);
  checkFiles(config, file, problems);
  throwIfAny(problems);
  return { config, targets };
}

/** A configuration that matches the schema: limits may be sizes such as 64MiB, and paths may be relative. */
interface RawConfig {
  readonly defaults?: RawAccess | null;
  readonly targets?: readonly (RawAccess & { readonly url?: string; readonly server?: string })[];
}

type RawAccess = Omit<AccessSettings, 'limits'> & { readonly limits?: Readonly<Record<string, unknown>> };

function resolveConfig({ defaults, targets }: RawConfig, folder: string): Config {
  return {
    defaults: resolveSettings(defaults ?? {}, folder),
    targets: (targets ?? []).map(target => resolveSettings(target, folder) as TargetSettings),
  };
}

function resolveSettings(raw: RawAccess, folder: string): AccessSettings {
  const {
    limits,
    tls,
    basic_auth: basic,
    bearer_token_file: bearer,
    basic_auth_file: basicFile,
    ...rest
  } = raw;
  const toAbsolute = (path: string): string => resolve(folder, path);
  const password =
    basic?.password_file === undefined ? {} : { password_file: toAbsolute(basic.password_file) };
  return {
    ...rest,
    ...(bearer === undefined ? {} : { bearer_token_file: toAbsolute(bearer) }),
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
function parseTargets({ targets }: Config, file: YamlFile, problems: ConfigProblem[]): Target[] {
  const indices = new Map<string, number>();
  return targets.flatMap((settings, index) => {
    const key = settings.url === undefined ? 'server' : 'url';
    const path: Path = ['targets', index, key];
    const name = formatPath(path);
    try {
      const target = key === 'url' ? parseMetricsTarget(settings.url!) : parseServerTarget(settings.server!);
      const id = target.fetchUrl ?? target.url;
      const earlier = indices.get(id);
      if (earlier !== undefined)
        problems.push(
          file.createProblem(
            path,
            `${name} is ${target.url}, the same endpoint as targets[${earlier}]; expected each endpoint once`,
          ),
        );
      indices.set(id, earlier ?? index);
      if (target.credentials && hasCredentialSetting(settings))
        problems.push(
          file.createProblem(
            path,
            `${name} contains credentials, and the target has others; expected only one`,
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

function hasCredentialSetting(settings: AccessSettings): boolean {
  const { bearer_token, bearer_token_file, basic_auth, basic_auth_file } = settings;
  return (bearer_token ?? bearer_token_file ?? basic_auth ?? basic_auth_file) !== undefined;
}

/** Adds headers that cannot be set to `problems`. */
function checkHeaders({ defaults, targets }: Config, file: YamlFile, problems: ConfigProblem[]): void {
  const layers: [Path, AccessSettings][] = [
    [['defaults'], defaults],
    ...targets.map((target, index): [Path, AccessSettings] => [['targets', index], target]),
  ];
  for (const [path, { headers = {} }] of layers) {
    for (const name of Object.keys(headers)) {
      const problem = describeHeaderProblem(name);
      const where = [...path, 'headers'];
      if (problem !== undefined)
        problems.push(file.createKeyProblem(where, name, `a header in ${formatPath(where)} ${problem}`));
    }
  }
}

/** Reads all files that the configuration names. Adds those that are missing or invalid to `problems`. */
function checkFiles({ defaults, targets }: Config, file: YamlFile, problems: ConfigProblem[]): void {
  const builder = new AccessBuilder();
  // Building stops at the first problem, so TLS files are checked separately from the others.
  const split = ({ tls, ...rest }: AccessSettings): AccessSettings[] => [rest, ...(tls ? [{ tls }] : [])];
  const layers: [Path, AccessSettings][] = [
    ...split(defaults).map((part): [Path, AccessSettings] => [['defaults'], part]),
    ...targets.flatMap((target, index) =>
      split(mergeSettings(defaults, target)).map((part): [Path, AccessSettings] => [
        ['targets', index],
        part,
      ]),
    ),
  ];
  const messages = new Set<string>();
  for (const [path, settings] of layers) {
    try {
      builder.build(settings);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      const own = [...path, ...error.key];
      const where = file.has(own) ? own : ['defaults', ...error.key];
      const message = error.formatMessage(formatPath(where));
      if (!messages.has(message)) problems.push(file.createProblem(where, message));
      messages.add(message);
    }
  }
}
