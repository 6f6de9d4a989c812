import { dirname, resolve } from 'node:path';
import {
  LIMIT_NAMES,
  parseMetricsTarget,
  parseServerTarget,
  type ScrapeLimits,
  type Target,
  TargetError,
} from '@org/scrape';
import type { Io } from '../io.ts';
import { sizeOf } from '../size.ts';
import { AccessBuilder, SettingError } from './access.ts';
import { headerProblem } from './header.ts';
import { ConfigError, type Problem } from './problem.ts';
import {
  type AccessSettings,
  type Config,
  layered,
  type TargetSettings,
  type TlsSettings,
} from './settings.ts';
import { nameOf, violations } from './violations.ts';
import { type Path, YamlFile } from './yamlfile.ts';

/** A configuration file, read and checked. */
export interface ConfigFile {
  readonly config: Config;
  /** By entry of `config.targets`: what it names, without its settings. */
  readonly targets: readonly Target[];
}

/**
 * Reads a configuration file, and the files that it names. Throws `UsageError` when it cannot be read, and `ConfigError` with
 * everything that is wrong with it. `path` is as the user named it.
 */
export function readConfig(path: string, io: Pick<Io, 'cwd' | 'env'>): ConfigFile {
  const absolute = resolve(io.cwd, path);
  const file = new YamlFile(absolute, path, io.env);
  const value = file.problems.length === 0 ? file.value() : null;
  const fail = (problems: readonly Problem[]): void => {
    if (problems.length > 0) throw new ConfigError(path, problems);
  };
  fail(file.problems);
  if (value === null)
    throw new ConfigError(path, [file.at([], 'the file says nothing; expected defaults and targets')]);
  fail(violations(file, value));
  const config = configOf(value as RawConfig, dirname(absolute));
  const found: Problem[] = [];
  const targets = targetsOf(config, file, found);
  checkHeaders(config, file, found);
  checkFiles(config, file, found);
  fail(found);
  return { config, targets };
}

/** What the schema lets through: limits may be sizes, paths relative. */
interface RawConfig {
  readonly defaults?: RawAccess | null;
  readonly targets?: readonly (RawAccess & { readonly url?: string; readonly server?: string })[];
}

type RawAccess = Omit<AccessSettings, 'limits'> & { readonly limits?: Readonly<Record<string, unknown>> };

function configOf({ defaults, targets }: RawConfig, folder: string): Config {
  return {
    defaults: settingsOf(defaults ?? {}, folder),
    targets: (targets ?? []).map(target => settingsOf(target, folder) as TargetSettings),
  };
}

function settingsOf(raw: RawAccess, folder: string): AccessSettings {
  const {
    limits,
    tls,
    basic_auth: basic,
    bearer_token_file: bearer,
    basic_auth_file: basicFile,
    ...rest
  } = raw;
  const at = (path: string): string => resolve(folder, path);
  const password = basic?.password_file === undefined ? {} : { password_file: at(basic.password_file) };
  return {
    ...rest,
    ...(bearer === undefined ? {} : { bearer_token_file: at(bearer) }),
    ...(basicFile === undefined ? {} : { basic_auth_file: at(basicFile) }),
    ...(basic ? { basic_auth: { ...basic, ...password } } : {}),
    ...(tls ? { tls: resolvedTls(tls, at) } : {}),
    ...(limits ? { limits: limitsOf(limits) } : {}),
  };
}

function resolvedTls(tls: TlsSettings, at: (path: string) => string): TlsSettings {
  const entries = Object.entries(tls).map(([key, value]) => [
    key,
    typeof value === 'string' ? at(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function limitsOf(raw: Readonly<Record<string, unknown>>): Partial<ScrapeLimits> {
  const entries = Object.entries(LIMIT_NAMES).flatMap(([field, name]) =>
    raw[name] === undefined ? [] : [[field, sizeOf(raw[name])]],
  );
  return Object.fromEntries(entries);
}

/** What the entries name; each endpoint once. */
function targetsOf({ targets }: Config, file: YamlFile, problems: Problem[]): Target[] {
  const first = new Map<string, number>();
  return targets.flatMap((settings, index) => {
    const key = settings.url === undefined ? 'server' : 'url';
    const path: Path = ['targets', index, key];
    try {
      const target = key === 'url' ? parseMetricsTarget(settings.url!) : parseServerTarget(settings.server!);
      const id = target.fetchUrl ?? target.url;
      const twin = first.get(id);
      if (twin !== undefined)
        problems.push(
          file.at(
            path,
            `${nameOf(path)} is ${target.url}, as targets[${twin}] is; expected each endpoint once`,
          ),
        );
      first.set(id, twin ?? index);
      if (
        target.credentials &&
        (settings.bearer_token ??
          settings.bearer_token_file ??
          settings.basic_auth ??
          settings.basic_auth_file) !== undefined
      )
        problems.push(
          file.at(
            path,
            `${nameOf(path)} has a user of its own beside other credentials; expected one of them`,
          ),
        );
      return [target];
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      problems.push(file.at(path, `${nameOf(path)}: ${error.message}`));
      return [];
    }
  });
}

/** No header is one that cannot be sent. */
function checkHeaders({ defaults, targets }: Config, file: YamlFile, problems: Problem[]): void {
  const layers: [Path, AccessSettings][] = [
    [['defaults'], defaults],
    ...targets.map((target, index): [Path, AccessSettings] => [['targets', index], target]),
  ];
  for (const [path, { headers = {} }] of layers) {
    for (const name of Object.keys(headers)) {
      const problem = headerProblem(name);
      const where = [...path, 'headers'];
      if (problem !== undefined)
        problems.push(file.atKey(where, name, `a name in ${nameOf(where)} ${problem}`));
    }
  }
}

/** Every file that the configuration names is there and right. */
function checkFiles({ defaults, targets }: Config, file: YamlFile, problems: Problem[]): void {
  const builder = new AccessBuilder();
  // TLS by itself: of each part the first problem is told.
  const parts = ({ tls, ...rest }: AccessSettings): AccessSettings[] => [rest, ...(tls ? [{ tls }] : [])];
  const layers: [Path, AccessSettings][] = [
    ...parts(defaults).map((part): [Path, AccessSettings] => [['defaults'], part]),
    ...targets.flatMap((target, index) =>
      parts(layered(defaults, target)).map((part): [Path, AccessSettings] => [['targets', index], part]),
    ),
  ];
  const told = new Set<string>();
  for (const [path, settings] of layers) {
    try {
      builder.build(settings);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      const own = [...path, ...error.key];
      const where = file.has(own) ? own : ['defaults', ...error.key];
      const message = `${nameOf(where)}: ${error.message}`;
      if (!told.has(message)) problems.push(file.at(where, message));
      told.add(message);
    }
  }
}
