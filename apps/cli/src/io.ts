/** What a command may touch of the process it runs in; tests hand in their own. */
export interface Io {
  readonly stdout: NodeJS.WriteStream | (NodeJS.WritableStream & { isTTY?: boolean; columns?: number });
  readonly stderr: NodeJS.WriteStream | (NodeJS.WritableStream & { isTTY?: boolean; columns?: number });
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The process' own. */
export function processIo(): Io {
  return { stdout: process.stdout, stderr: process.stderr, env: process.env, cwd: process.cwd() };
}

/** Whether a stream wants colour: a terminal does, unless NO_COLOR says otherwise (https://no-color.org). */
export function wantsColor(stream: { isTTY?: boolean }, env: Io['env']): boolean {
  if (env.NO_COLOR) return false;
  return Boolean(env.FORCE_COLOR && env.FORCE_COLOR !== '0') || stream.isTTY === true;
}

/** Columns of a terminal; 100 for a file or a pipe. */
export function widthOf(stream: { isTTY?: boolean; columns?: number }): number {
  return stream.isTTY ? (stream.columns ?? 80) : 100;
}
