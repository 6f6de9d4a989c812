import type { ConfigFile } from '@org/discovery/config';
import { prepareLateImport } from '@org/run';
import { UsageError } from '@org/terminal';
import { type Io, type RawOptions, readText } from '@org/terminal/program';

/**
 * Reads the configuration file. Returns undefined if --config is not set, or if scraping is disabled and the file
 * describes no run. The YAML
 * parser and the schema validator use 15 MB of memory, so they are loaded only if there is a file. Throws
 * `UsageError` if the file is invalid; the message lists all problems.
 */
export async function readConfigOption(raw: RawOptions, io: Io): Promise<ConfigFile | undefined> {
  const path = readText(raw, 'config', 'a file path');
  if (path === undefined) return undefined;
  prepareLateImport();
  const { ConfigError, readConfigFile } = await import('@org/discovery/config');
  try {
    const file = readConfigFile(path, io);
    return raw['no-server-metrics'] === true && !file.run ? undefined : file;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError(`invalid configuration file ${path}:\n${error.message}`);
  }
}
