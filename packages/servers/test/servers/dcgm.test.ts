import { describeRecordedPages } from '../support/recordedPages.ts';

// The default fields do not contain the activity of multiprocessors.
describeRecordedPages(
  'NVIDIA DCGM',
  ['fixtures/exposition/dcgm-exporter-l40s.txt', 'fixtures/exposition/dcgm-exporter-k8s-pod-labels.txt'],
  ['DCGM_FI_PROF_SM_ACTIVE'],
);
