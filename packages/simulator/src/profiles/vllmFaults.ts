import type { EngineObserver } from '../engine/observer.ts';
import type { ServerFault } from '../faults/serverFault.ts';
import type { LabelValues, MetricFamily, Registry } from '../metrics/registry.ts';
import type { Counter } from '../metrics/series.ts';

/** Creates the observer that shows a fault in an engine's metrics; undefined if other metrics show it. */
type CreateFaultObserver = (labels: LabelValues) => EngineObserver;

/**
 * Declares the metrics that only exist with a fault. As in the real server, they have no series without the feature that they
 * describe.
 */
export function declareFaults(registry: Registry, faults: readonly ServerFault[]): CreateFaultObserver[] {
  return faults.flatMap(fault => {
    switch (fault.kind) {
      case 'nan-logits':
        return countEveryNth(
          registry.counter('vllm:corrupted_requests', 'Requests with NaN logits'),
          fault.requests,
        );
      case 'kv-transfer':
        return countEveryNth(
          registry.counter('vllm:nixl_num_failed_transfers', 'Failed transfers of KV cache blocks'),
          fault.requests,
        );
      case 'rejected-drafts':
        return rejectDrafts(registry, fault.tokens);
      default:
        return [];
    }
  });
}

/** Counts every Nth request that ends. */
function countEveryNth(family: MetricFamily<Counter>, requests: number): CreateFaultObserver {
  return labels => {
    const series = family.labels(labels);
    let ended = 0;
    return {
      onFinished() {
        ended += 1;
        if (ended % requests === 0) series.inc();
      },
    };
  };
}

function rejectDrafts(registry: Registry, tokens: number): CreateFaultObserver {
  const drafts = registry.counter('vllm:spec_decode_num_drafts', 'Drafts');
  const draftTokens = registry.counter('vllm:spec_decode_num_draft_tokens', 'Draft tokens');
  const accepted = registry.counter('vllm:spec_decode_num_accepted_tokens', 'Accepted draft tokens');
  const byPosition = registry.counter(
    'vllm:spec_decode_num_accepted_tokens_per_pos',
    'Accepted draft tokens by position in the draft',
  );
  return labels => {
    const draftSeries = drafts.labels(labels);
    const tokenSeries = draftTokens.labels(labels);
    accepted.labels(labels);
    for (let position = 0; position < tokens; position++)
      byPosition.labels({ ...labels, position: String(position) });
    return {
      onStep({ decodeRequests }) {
        draftSeries.inc(decodeRequests);
        tokenSeries.inc(decodeRequests * tokens);
      },
    };
  };
}
