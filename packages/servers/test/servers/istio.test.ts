import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages('Istio', ['pages/istio-1.24-names.prom']);
