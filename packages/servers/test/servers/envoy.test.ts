import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages('Envoy', ['pages/envoy-1.40.0.prom']);
