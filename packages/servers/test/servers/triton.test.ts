import { describeRecordedPages } from '../support/recordedPages.ts';

// The recorded page dates from 2023: its cache counters are not split by model, and it has no histograms.
describeRecordedPages(
  'Triton',
  ['fixtures/exposition/triton-summaries.txt'],
  [
    'nv_cache_num_hits_per_model',
    'nv_cache_num_misses_per_model',
    'nv_inference_first_response_histogram_ms',
  ],
);
