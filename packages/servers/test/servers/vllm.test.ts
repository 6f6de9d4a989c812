import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages('vLLM', [
  'fixtures/exposition/vllm-2025.txt',
  'fixtures/exposition/vllm-2026.txt',
  'peers/vllm-0.29.0/base-after.prom',
  'peers/vllm-0.29.0/dp2-after.prom',
  'peers/dynamo-1.6.1/agg/after.worker1.prom',
]);
