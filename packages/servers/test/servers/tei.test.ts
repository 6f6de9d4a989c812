import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages('TEI', ['pages/tei-1.8-names.prom']);
