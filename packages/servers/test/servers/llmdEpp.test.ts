import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages('llm-d EPP', ['pages/llm-d-epp-0.9-names.prom']);
