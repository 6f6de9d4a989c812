import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages('LiteLLM', ['pages/litellm-1.109.1.prom']);
