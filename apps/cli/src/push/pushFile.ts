import { join } from 'node:path';
import type { PushReport as PushDocument } from '@org/formats';
import { writeFileAtomic, writePushReportJson } from '@org/formats/write';
import type { PushReport } from '@org/push';

/** Converts a report to the document of the schema `push`. */
export function toPushDocument({ runIds, destinations, problem }: PushReport): PushDocument {
  return {
    schema_version: '1',
    benchmark_ids: [...runIds],
    receivers: destinations.map(({ protocol, version, url, lastProblem, ...counts }) => ({
      protocol,
      ...(version === undefined ? {} : { protocol_version: version }),
      url,
      sent_values: counts.sentPoints,
      requests: counts.requests,
      retries: counts.retries,
      lost_values: {
        queue_full: counts.droppedPoints,
        rejected: counts.rejectedPoints,
        undelivered: counts.undeliveredPoints,
      },
      ...(lastProblem === undefined ? {} : { last_problem: lastProblem }),
    })),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Writes push.json. Returns a message if it cannot be written. */
export async function writePushReport(
  report: PushReport,
  folder: string,
  prefix: string | undefined,
): Promise<string | undefined> {
  const path = join(folder, prefix === undefined ? 'push.json' : `${prefix}_push.json`);
  const result = await writeFileAtomic(path, writePushReportJson(toPushDocument(report)));
  return result.ok ? undefined : result.message;
}
