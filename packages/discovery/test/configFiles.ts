import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type ConfigFile, readConfigFile } from '../src/config/configFile.ts';
import { ConfigError } from '../src/config/configProblem.ts';

/** The folder of configuration files of a test file. It contains a token file. */
export const folder: string = mkdtempSync(join(tmpdir(), 'discovery-'));
export const TOKEN_FILE: string = join(folder, 'token');
writeFileSync(TOKEN_FILE, 't0ken');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes and reads a configuration file. */
export function readConfig(text: string, env: Record<string, string> = {}): ConfigFile {
  writeFileSync(join(folder, 'c.yaml'), text);
  return readConfigFile('c.yaml', { cwd: folder, env });
}

/** Lists the problems of a configuration file, as `line:column: message`. */
export function listProblems(text: string, env?: Record<string, string>): string[] {
  try {
    readConfig(text, env);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.message.split('\n').map(line => line.replace('c.yaml:', ''));
    throw error;
  }
  return [];
}
