import { Writable } from 'node:stream';
import type { Io } from '@org/terminal/program';

/** An Io that keeps what is written. */
export function testIo(
  cwd: string,
  env: Record<string, string> = {},
): Io & { readonly out: string[]; readonly err: string[] } {
  const out: string[] = [];
  const err: string[] = [];
  const sink = (lines: string[]): Writable =>
    new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk));
        done();
      },
    });
  return { stdout: sink(out), stderr: sink(err), env: { ...process.env, ...env }, cwd, out, err };
}
