import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages('TGI', ['pages/tgi-3.3-names.prom']);
