type Outputs = Pick<NodeJS.Process, 'stdout' | 'stderr'>;

/**
 * Has a process outlive its output: whoever reads it may stop, as `head` does, and the disk that a log is on may be full. What
 * cannot be said is lost, and nothing else. That results are lost on stdout is told on stderr, once; gives whether they are.
 */
export function outliveOutputs({ stdout, stderr }: Outputs): () => boolean {
  let isLost = false;
  stderr.on('error', () => {});
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isLost) return;
    isLost = true;
    stderr.write(`servelens: cannot write to stdout: ${error.message}\n`);
  });
  return () => isLost;
}
