import { Writable } from 'node:stream';
import type { Io } from '@org/terminal/program';

/** An Io that records its output, chunk by chunk. */
export interface TestIo extends Io {
  readonly out: string[];
  readonly err: string[];
}

/** Creates an Io that records its output. `env` is added to the environment of this process. */
export function createIo(cwd: string, env: Readonly<Record<string, string>> = {}): TestIo {
  const [out, err]: [string[], string[]] = [[], []];
  return {
    stdout: createRecorder(out),
    stderr: createRecorder(err),
    env: { ...process.env, ...env },
    cwd,
    out,
    err,
  };
}

function createRecorder(chunks: string[]): Writable {
  return new Writable({
    write(chunk, _, done) {
      chunks.push(String(chunk));
      done();
    },
  });
}
