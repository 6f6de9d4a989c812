import type { ProfileExport, ProfileMetric } from '@org/formats';

/** What a reader of the table should know before believing it. */
export function profileWarnings(document: ProfileExport): string[] {
  const value = (tag: string): number => (document[tag] as ProfileMetric | undefined)?.avg ?? 0;
  const requests = value('request_count');
  const client = document.load_generator;
  const warnings = (client?.warnings ?? []).map(({ message }) => message);
  if (client?.unsent)
    warnings.push(`${client.unsent} request(s) were due when the time was up, and had no place: never sent`);
  const discrepancies = value('usage_discrepancy_count');
  if (discrepancies > 0)
    warnings.push(
      `token counts of client and server differ by more than 10 % in ${discrepancies} of ${requests} requests: another tokenizer or chat template; --tokenizer PATH or --use-server-token-count`,
    );
  const mismatches = value('osl_mismatch_count');
  if (mismatches > 0)
    warnings.push(
      `${mismatches} of ${requests} answers are not as long as asked for (on average ${value('osl_mismatch_diff_pct').toFixed(1)} %): the server ended them by itself; --extra-inputs ignore_eos:true or min_tokens:N`,
    );
  return warnings;
}
