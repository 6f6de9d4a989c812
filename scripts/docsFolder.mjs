// Creates a temporary folder for running the commands of the documentation.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Creates the folder, with functions to run commands in it that find `servelens` on the PATH. The caller must
 * remove the folder.
 */
export function createDocsFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-docs-'));
  const cli = join(root, 'apps', 'cli', 'bin', 'servelens.js');
  mkdirSync(join(folder, '.bin'));
  const program = join(folder, '.bin', 'servelens');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  chmodSync(program, 0o755);

  /** Runs a command. Returns its output (stdout and stderr), with the path of the folder replaced by /tmp/demo. */
  function runCommand(command) {
    const env = {
      ...process.env,
      PATH: `${join(folder, '.bin')}:${process.env.PATH}`,
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
    };
    for (const name of ['FORCE_COLOR', 'COLUMNS', 'LINES', 'SERVELENS_SOCKET']) delete env[name];
    const { stdout, error } = spawnSync('bash', ['-c', `exec 2>&1\n${command}`], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 1e8,
    });
    if (error) throw error;
    return stdout
      .replaceAll(folder, '/tmp/demo')
      .replace(/[ \t]+$/gm, '')
      .trimEnd();
  }

  /**
   * Starts a server, waits for its first output, calls the synchronous `task`, and stops the server. Returns
   * the result of `task`.
   */
  async function withServer(command, task) {
    const env = { ...process.env, PATH: `${join(folder, '.bin')}:${process.env.PATH}` };
    const server = spawn('bash', ['-c', `exec ${command}`], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await new Promise((resolve, reject) => {
        server.stdout.once('data', resolve);
        server.once('exit', code => reject(new Error(`"${command}" exited with code ${code}`)));
      });
      return task();
    } finally {
      server.removeAllListeners('exit').kill();
    }
  }

  return { folder, runCommand, withServer };
}
