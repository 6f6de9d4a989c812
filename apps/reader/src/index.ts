export { readerProgram } from './main.ts';
export { renderSummary, type SummaryOptions } from './summary/screen.ts';
export { renderAggregate, renderSweep } from './sweep/screen.ts';
