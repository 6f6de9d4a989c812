/** The `servelens read` commands, and the run summaries that other commands print. */

export { isStall } from '@org/analysis';
export { readerProgram } from './main.ts';
export { type DeadServers, findDeadServers } from './summary/deadServers.ts';
export { buildSummary, type SummaryDocument } from './summary/json.ts';
export {
  type ProblemLines,
  renderProblems,
  renderSummary,
  type SummaryOptions,
} from './summary/screen.ts';
export { renderAggregate, renderSweep } from './sweep/screen.ts';
export { renderSearch } from './sweep/searchScreen.ts';
