import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages(
  'SGLang',
  [
    'fixtures/exposition/sglang-docs.txt',
    'fixtures/exposition/dynamo-component-sglang.txt',
    'peers/dynamo-1.6.1/agg-sglang/after.worker1.prom',
  ],
  // Newer versions than the recorded ones count cached tokens.
  ['sglang:cached_tokens'],
);
