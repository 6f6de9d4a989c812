import { beforeLateImport } from '@org/run';
import { UsageError } from '@org/terminal';
import type { Io } from '../io.ts';
import { type RawOptions, textValue } from '../optionvalue.ts';
import type { ConfigFile } from './configfile.ts';
import { ConfigError } from './problem.ts';

/**
 * The file of --config, read and checked; undefined without it, and where nothing is scraped. What reads YAML and checks it by a
 * schema takes 15 MB, which a run without such a file does not.
 *
 * Throws `UsageError` with everything that is wrong with it.
 */
export async function readConfigOption(raw: RawOptions, io: Io): Promise<ConfigFile | undefined> {
  const path = textValue(raw, 'config', 'the path of a file');
  if (path === undefined || raw['no-server-metrics'] === true) return undefined;
  beforeLateImport();
  const { readConfig } = await import('./configfile.ts');
  try {
    return readConfig(path, io);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError(`${path} cannot be used as it is:\n${error.message}`);
  }
}
