type Outputs = Pick<NodeJS.Process, 'stdout' | 'stderr'>;

/**
 * Ignores write errors of stdout and stderr, so that a run continues if a pipe is closed or the disk of a log
 * file is full. Prints the first write error of stdout to stderr, unless the error is a closed pipe. The
 * returned function reports whether an error was printed.
 */
export function ignoreOutputErrors({ stdout, stderr }: Outputs): () => boolean {
  let isLost = false;
  stderr.on('error', () => {});
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isLost) return;
    isLost = true;
    stderr.write(`servelens: cannot write to stdout: ${error.message}\n`);
  });
  return () => isLost;
}
