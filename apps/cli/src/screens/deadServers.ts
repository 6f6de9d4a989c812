import { findDeadServers } from '@org/reader';
import type { RunExports } from '@org/run/export';
import type { Log } from '@org/terminal/live';

/**
 * Logs the dead servers of a run. Returns true if the exit code must report them: if every server died, or if
 * --require-server-metrics is set.
 */
export function reportDeadServers(
  { document }: Pick<RunExports, 'document'>,
  isRequired: boolean,
  log: Log,
): boolean {
  const { messages, isEveryServer } = findDeadServers(document);
  for (const message of messages) log.error(message);
  return messages.length > 0 && (isEveryServer || isRequired);
}
