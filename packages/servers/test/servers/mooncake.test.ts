import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages('Mooncake', ['pages/mooncake-0.3.13.prom']);
