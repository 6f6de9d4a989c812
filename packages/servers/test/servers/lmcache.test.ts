import { describeRecordedPages } from '../support/recordedPages.ts';

// The page is of the cache in a process of vLLM. A cache in a process of its own has other names.
describeRecordedPages(
  'LMCache',
  ['pages/lmcache-0.5.6-names.prom'],
  ['lmcache_mp_lookup_hit_tokens', 'lmcache_mp_lookup_requested_tokens'],
);
