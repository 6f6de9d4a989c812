import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages('SGLang router', ['peers/sglang-router-0.3.2/after.prom']);
