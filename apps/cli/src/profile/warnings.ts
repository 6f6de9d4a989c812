import { formatValue } from '@org/core';
import type { ProfileExport, ProfileMetric } from '@org/formats';

/** What a reader of the table should know before believing it. */
export function profileWarnings(document: ProfileExport): string[] {
  const value = (tag: string): number => (document[tag] as ProfileMetric | undefined)?.avg ?? 0;
  const requests = value('request_count');
  const client = document.load_generator;
  const warnings = (client?.warnings ?? []).map(({ message }) => message);
  warnings.push(...waits(document), ...uncounted(document, requests));
  if (client?.unsent_requests)
    warnings.push(
      `${client.unsent_requests} request(s) were due when the time was up, and had no place: never sent`,
    );
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

/** Where the server counts, an answer without `usage` has no tokens. */
function uncounted(document: ProfileExport, requests: number): string[] {
  if (document.load_generator?.tokenizer !== 'server') return [];
  const said = (document.usage_prompt_tokens as ProfileMetric | undefined)?.count ?? 0;
  if (said >= requests) return [];
  return [
    `${requests - said} of ${requests} answers have no usage, and so no tokens: --use-server-token-count needs a server that reports it, --tokenizer counts here`,
  ];
}

/** Waits that are worth a word: ms, and as a share of the latency. */
const LEAST_WAIT_MS = 5;
const LEAST_WAIT_SHARE = 0.05;

/** With a cap the servers slow down their own load; what a user would have waited is in no latency. */
function waits(document: ProfileExport): string[] {
  const { phases } = (document.input_config ?? {}) as {
    phases?: { profiling?: { rate?: number; concurrency?: number } };
  };
  const { rate, concurrency } = phases?.profiling ?? {};
  const wait = document.credit_drop_latency as ProfileMetric | undefined;
  const latency = (document.request_latency as ProfileMetric | undefined)?.avg ?? 0;
  if (rate === undefined || concurrency === undefined || wait?.p99 === undefined) return [];
  if (wait.p99 < Math.max(LEAST_WAIT_MS, LEAST_WAIT_SHARE * latency)) return [];
  const [mean, late] = [formatValue(wait.avg ?? 0, 'ms'), formatValue(wait.p99, 'ms')];
  return [
    `requests were sent ${mean} after they were due (p99 ${late}): --concurrency ${concurrency} keeps ${rate} requests/s back; latencies begin at the sending, credit_drop_latency is the wait before it`,
  ];
}
