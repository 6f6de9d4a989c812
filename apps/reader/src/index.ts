/** The `servelens read` commands, and the run summaries that other commands print. */

export { readerProgram } from './main.ts';
export { type DeadServers, findDeadServers } from './summary/deadServers.ts';
export { renderFailureFindings, renderSummary, type SummaryOptions } from './summary/screen.ts';
export { renderAggregate, renderSweep } from './sweep/screen.ts';
