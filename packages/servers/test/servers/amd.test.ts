import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages(
  'AMD device metrics',
  ['pages/amd-mi300x.prom'],
  // The profiler is disabled by default.
  ['gpu_umc_activity', 'gpu_prof_sm_active', 'gpu_prof_tensor_active_percent'],
);
