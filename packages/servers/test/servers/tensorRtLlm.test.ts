import { describeRecordedPages } from '../support/recordedPages.ts';

// The recorded pages come from workers of Dynamo, which export a part of the engine's metrics: `trtllm-serve`, and the mock
// engine of Dynamo 1.6.1.
describeRecordedPages(
  'TensorRT-LLM',
  ['fixtures/exposition/dynamo-component-trtllm.txt', 'pages/dynamo-1.6.1-mocker-trtllm.prom'],
  [
    'trtllm_num_requests_running',
    'trtllm_num_requests_waiting',
    'trtllm_kv_cache_utilization',
    'trtllm_kv_cache_hit_rate',
    'trtllm_prompt_tokens',
    'trtllm_generation_tokens',
    'trtllm_request_prefill_time_seconds',
    'trtllm_request_decode_time_seconds',
    'trtllm_max_num_active_requests',
    'trtllm_kv_cache_max_blocks',
    'trtllm_kv_cache_tokens_per_block',
    'trtllm_kv_cache_reused_blocks',
    'trtllm_kv_cache_missed_blocks',
    'trtllm_kv_cache_onboard_bytes',
    'trtllm_kv_cache_offload_bytes',
    'trtllm_spec_decode_num_accepted_tokens',
    'trtllm_spec_decode_num_draft_tokens',
  ],
);
