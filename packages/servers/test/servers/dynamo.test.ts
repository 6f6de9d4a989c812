import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages(
  'Dynamo',
  [
    'fixtures/exposition/dynamo-frontend.txt',
    'peers/dynamo-1.6.1/agg/after.frontend.prom',
    'peers/dynamo-1.6.1/agg/after.worker1.prom',
    'peers/dynamo-1.6.1/disagg/after.decode1.prom',
    'peers/dynamo-1.6.1/kv3/after.frontend.prom',
    'fixtures/exposition/dynamo-component-vllm.txt',
  ],
  // AIPerf's guide lists this metric.
  ['dynamo_component_gpu_cache_usage_percent'],
);
