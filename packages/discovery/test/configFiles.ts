import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConfigFile, readConfigFile } from '../src/config/configFile.ts';
import { ConfigError } from '../src/config/index.ts';

/** Temporary folder for the configuration files of a test file. Contains a token file. */
export const folder: string = mkdtempSync(join(tmpdir(), 'discovery-'));
/** Path of a file with the token `t0ken`. */
export const TOKEN_FILE: string = join(folder, 'token');

/** Creates the folder with the token file. Runs before each test file. */
export function createFolder(): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(TOKEN_FILE, 't0ken');
}

/** Removes the folder. Runs after each test file. */
export function removeFolder(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes a configuration file and reads it with the environment variables `env`. */
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
