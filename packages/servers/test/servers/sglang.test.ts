import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages(
  'SGLang',
  [
    'fixtures/exposition/sglang-docs.txt',
    'fixtures/exposition/dynamo-component-sglang.txt',
    'peers/dynamo-1.6.1/agg-sglang/after.worker1.prom',
  ],
  // Newer versions than the recorded ones, and features that the recorded servers did not use.
  [
    'sglang:cached_tokens',
    'sglang:estimated_flops_per_gpu',
    'sglang:estimated_read_bytes_per_gpu',
    'sglang:estimated_write_bytes_per_gpu',
    'sglang:hicache_backup_bytes',
    'sglang:load_back_bytes',
    'sglang:num_retracted_requests',
    'sglang:prefill_effective_tokens',
    'sglang:num_transfer_failed_reqs',
  ],
);
