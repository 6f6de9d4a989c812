import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages('NIXL', ['pages/nixl-1.5.1-names.prom']);
