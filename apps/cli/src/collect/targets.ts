import {
  deduplicateTargets,
  parseMetricsTarget,
  parseServerTarget,
  type Target,
  TargetError,
} from '@org/scrape';
import { UsageError } from '@org/terminal';
import { AccessBuilder, SettingError } from '../config/access.ts';
import type { ConfigFile } from '../config/configfile.ts';
import { type AccessSettings, layered, saysWhoWeAre } from '../config/settings.ts';
import { optionOf } from './accessoptions.ts';

/** What names endpoints, and what says how to speak to them. */
export interface TargetSources {
  /** Values of `--url`. */
  readonly bases: readonly string[];
  /** Values of `--server-metrics`. */
  readonly named: readonly string[];
  readonly file?: ConfigFile;
  /** Options that hold for all. */
  readonly options: AccessSettings;
}

/**
 * The endpoints of a run, each once: those of the command line, then those of the configuration file. What is said of one is
 * layered: options over its entry in the file over the file's defaults. Throws `UsageError`.
 */
export function targetsOf({ bases, named, file, options }: TargetSources): Target[] {
  const builder = new AccessBuilder();
  const defaults = file?.config.defaults ?? {};
  const entries = (file?.targets ?? []).map((target, index) => ({
    target,
    settings: file!.config.targets[index]!,
  }));
  const build = (settings: AccessSettings): Pick<Target, 'access'> => {
    const access = builder.build(layered(layered(defaults, settings), options));
    return Object.keys(access).length === 0 ? {} : { access };
  };
  return told(() => {
    if (file === undefined) builder.build(options);
    const listed = entries.map(({ target, settings }) => ({
      ...(saysWhoWeAre(options) ? withoutCredentials(target) : target),
      ...build(access(settings)),
    }));
    const own = [...bases.map(parseServerTarget), ...named.map(parseMetricsTarget)].map(target => {
      const entry = listed.find(one => idOf(one) === idOf(target));
      // A user in the URL of its entry is one of the entry's settings.
      return entry ? { ...entry, ...target } : { ...target, ...build({}) };
    });
    return deduplicateTargets([...own, ...listed]);
  });
}

function idOf({ fetchUrl, url }: Target): string {
  return fetchUrl ?? url;
}

/** An entry without what names it. */
function access({ url, server, ...settings }: ConfigFile['config']['targets'][number]): AccessSettings {
  return settings;
}

function withoutCredentials({ credentials, ...target }: Target): Target {
  return target;
}

function told<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof TargetError) throw new UsageError(error.message);
    // The file has been checked: what is wrong now was said by an option.
    if (error instanceof SettingError) throw new UsageError(`${optionOf(error.key)}: ${error.message}`);
    throw error;
  }
}
