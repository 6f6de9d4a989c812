import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages(
  'vLLM',
  [
    'fixtures/exposition/vllm-2025.txt',
    'fixtures/exposition/vllm-2026.txt',
    'peers/vllm-0.29.0/base-after.prom',
    'peers/vllm-0.29.0/dp2-after.prom',
    'peers/dynamo-1.6.1/agg/after.worker1.prom',
  ],
  // The recorded servers did not use speculative decoding, transfers or offloading, and did not check for NaN.
  [
    'vllm:corrupted_requests',
    'vllm:kv_offload_load_bytes',
    'vllm:kv_offload_store_bytes',
    'vllm:nixl_bytes_transferred',
    'vllm:nixl_num_failed_transfers',
    'vllm:nixl_xfer_time_seconds',
    'vllm:spec_decode_num_accepted_tokens',
    'vllm:spec_decode_num_draft_tokens',
    'vllm:spec_decode_num_drafts',
  ],
);
