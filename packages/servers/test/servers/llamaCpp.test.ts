import { describeRecordedPages } from '../support/recordedPages.ts';

describeRecordedPages('llama.cpp', ['peers/llama.cpp-2026.10/after.prom']);
