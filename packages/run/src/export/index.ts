export { benchmarkIdIn } from './benchmarkId.ts';
export { exportPatiently } from './exportRetry.ts';
export { type ExportOptions, exportRun, type RunExports } from './exportRun.ts';
