import { type Field, getField, isMapping, readSection, type Section } from '../field.ts';
import { list, missing, noEffect, onlyDefault, readBoolean, scalar, section, toggle } from '../fields.ts';

/** A key that `artifacts` reads with others. */
const done: Field = () => {};

const FIELDS: Section = {
  dir: scalar('artifact-dir'),
  prefix: scalar('profile-export-prefix'),
  summary: (value, path, reader) => {
    if (value === false || String(value) === 'false')
      reader.reportMissing(path, 'delete the JSON export after the run');
  },
  records: done,
  raw: done,
  trace: toggle('export-http-trace'),
  sliceDuration: scalar('slice-duration'),
  showTraceTiming: toggle('show-trace-timing'),
  userFiles: missing('write the files after the run'),
  autoPlot: toggle('auto-plot'),
  plotRequired: toggle('plot-required'),
  exportOutputsJson: toggle('export-outputs-json'),
};

/** The section `artifacts`. */
export const artifacts: Field = (value, path, reader) => {
  readSection(value, path, FIELDS, reader);
  if (!isMapping(value)) return;
  const raw = getField(value, 'raw');
  const records = getField(value, 'records');
  if (raw && readBoolean(raw.value, [...path, raw.key], reader))
    reader.set('export-level', ['raw'], [...path, raw.key]);
  else if (records && String(records.value) === 'false')
    reader.set('export-level', ['summary'], [...path, records.key]);
};

/** Sources of GPU telemetry: addresses of exporters, or a local command. */
export const gpuTelemetry: Field = (value, path, reader) => {
  if (typeof value === 'string') return reader.set('gpu-telemetry', [value], path);
  const fields: Section = {
    enabled: toggle(undefined, 'no-gpu-telemetry'),
    url: list('gpu-telemetry'),
    urls: list('gpu-telemetry'),
    collector: (name, fieldPath) => {
      if (name !== 'dcgm') reader.set('gpu-telemetry', [String(name)], fieldPath);
    },
    mode: noEffect(),
    metricsFile: missing('record the GPUs during the run'),
  };
  readSection(value, path, fields, reader);
};

/** Search for pods. As in AIPerf, the mode is auto unless it is set, and the other keys have no effect if it is disabled. */
const discovery: Field = (value, path, reader) => {
  const mode = isMapping(value) ? getField(value, 'mode')?.value : undefined;
  const read = (option: string): Field => (mode === 'disabled' ? noEffect() : scalar(option));
  if (mode === undefined) reader.set('discovery', ['auto'], path);
  readSection(
    value,
    path,
    {
      mode: scalar('discovery'),
      labelSelector: read('discovery-label-selector'),
      namespace: read('discovery-namespace'),
      timeoutSeconds: read('discovery-timeout'),
    },
    reader,
  );
};

/** Endpoints of server metrics, and the formats of their exports. */
export const serverMetrics: Field = (value, path, reader) => {
  if (typeof value === 'string') return reader.set('server-metrics', [value], path);
  readSection(
    value,
    path,
    {
      enabled: toggle(undefined, 'no-server-metrics'),
      url: list('server-metrics'),
      urls: list('server-metrics'),
      formats: list('server-metrics-formats'),
      discovery,
    },
    reader,
  );
};

/** The round trip to the servers, which is measured unless its mean is set. Without `enabled`, the keys have no effect. */
const networkLatency: Field = (value, path, reader) => {
  const isOn = isMapping(value) && String(getField(value, 'enabled')?.value).toLowerCase() === 'true';
  const hasMean = isMapping(value) && getField(value, 'meanMs') !== undefined;
  const read = (option: string, isUsed: boolean): Field => (isOn && isUsed ? scalar(option) : noEffect());
  readSection(
    value,
    path,
    {
      enabled: hasMean ? toggle(undefined) : toggle('network-latency-automatic'),
      pingInterval: read('network-latency-ping-interval', !hasMean),
      meanMs: read('network-latency-mean', true),
    },
    reader,
  );
};

/** Sections that concern the network, and other programs that receive results. */
export const EXTERNAL: Readonly<Record<'networkLatency' | 'otel' | 'mlflow' | 'wandb', Field>> = {
  networkLatency,
  otel: section({
    metricsUrl: scalar('otel-url'),
    streamMetricsEnabled: onlyDefault(true),
    streamTimingEnabled: onlyDefault(true),
    customResourceAttributes: missing(),
    genAiProvider: scalar('gen-ai-provider'),
  }),
  mlflow: section({
    trackingUri: scalar('mlflow-tracking-uri'),
    experiment: scalar('mlflow-experiment', 'aiperf'),
    runName: scalar('mlflow-run-name'),
    tags: missing(),
    parentRunId: scalar('mlflow-parent-run-id'),
    artifactGlobs: list('mlflow-artifact-glob'),
  }),
  wandb: section({
    project: scalar('wandb-project'),
    entity: scalar('wandb-entity'),
    runName: scalar('wandb-run-name'),
    tags: list('wandb-tag'),
  }),
};

/** The section `runtime`: mostly settings of AIPerf's processes. */
export const RUNTIME: Section = {
  ui: scalar('ui'),
  workers: scalar('workers'),
  recordProcessors: scalar('record-processor-service-count'),
  apiPort: scalar('api-port'),
  apiHost: scalar('api-host'),
  statsInterval: scalar('stats-interval'),
  ...Object.fromEntries(
    [
      ...['serviceRunType', 'communication', 'datasetApiBaseUrl'],
      ...['workersPerPod', 'recordProcessorsPerPod', 'workersMin'],
    ].map(key => [key, noEffect()]),
  ),
};

/** The section `accuracy`. */
export const ACCURACY: Section = {
  benchmark: scalar('accuracy-benchmark'),
  tasks: list('accuracy-tasks'),
  nShots: scalar('accuracy-n-shots'),
  enableCot: toggle('accuracy-enable-cot'),
  grader: scalar('accuracy-grader'),
  systemPrompt: scalar('accuracy-system-prompt'),
  verbose: toggle('accuracy-verbose'),
};
