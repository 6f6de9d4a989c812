import {
  gpuTelemetryRecord,
  inputs,
  legacyServerMetrics,
  outputs,
  phaseGpuTelemetry,
  phaseManifest,
  phaseServerMetrics,
  profileAggregate,
  profileCollated,
  profileExport,
  profileRecord,
  profileSweep,
  profileTimeslices,
  push,
  rawRecord,
  resultsReady,
  searchHistory,
  serverMetrics,
  serverMetricsRecord,
  trend,
} from '../generated/shapes.ts';
import type { Shape } from './shape.ts';

/** An error of a generated validator: ajv's error object, with the schema and data at its location. */
export interface SchemaError {
  /** JSON pointer into the document. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** The value of the keyword in the schema. */
  readonly schema: unknown;
  /** The schema object that contains the keyword. */
  readonly parentSchema: Readonly<Record<string, unknown>>;
  /** The invalid value. */
  readonly data: unknown;
}

/** A generated validator. If it returns false, `errors` contains the reasons. */
export interface SchemaValidator {
  (data: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/** Names of the schemas that have a generated validator: file names in schemas/ without extension. */
export type SchemaName =
  | 'server-metrics.1.0'
  | 'server-metrics.1.1'
  | 'server-metrics.legacy'
  | 'server-metrics-record'
  | 'gpu-telemetry-record'
  | 'profile-export.1.0'
  | 'profile-export.1.1'
  | 'profile-export.1.2'
  | 'profile-export.1.3'
  | 'profile-export.1.4'
  | 'profile-record'
  | 'raw-record'
  | 'profile-timeslices.1.0'
  | 'profile-aggregate.1.0'
  | 'profile-collated.1.0.0'
  | 'profile-sweep.1.0'
  | 'search-history.1.0'
  | 'phase-manifest.1'
  | 'phase-server-metrics.1'
  | 'phase-gpu-telemetry.1'
  | 'inputs'
  | 'outputs.1.0'
  | 'results-ready'
  | 'trend.1'
  | 'push.1';

/** Functions that import each validator on demand, because most callers need only one. */
const LOADERS: Readonly<Record<SchemaName, () => Promise<{ readonly validate: SchemaValidator }>>> = {
  'server-metrics.1.0': () => import('../generated/validators/server-metrics.1.1.js'),
  'server-metrics.1.1': () => import('../generated/validators/server-metrics.1.1.js'),
  'server-metrics.legacy': () => import('../generated/validators/server-metrics.legacy.js'),
  'server-metrics-record': () => import('../generated/validators/server-metrics-record.js'),
  'gpu-telemetry-record': () => import('../generated/validators/gpu-telemetry-record.js'),
  'profile-export.1.0': () => import('../generated/validators/profile-export.1.0.js'),
  'profile-export.1.1': () => import('../generated/validators/profile-export.1.1.js'),
  'profile-export.1.2': () => import('../generated/validators/profile-export.1.2.js'),
  'profile-export.1.3': () => import('../generated/validators/profile-export.1.4.js'),
  'profile-export.1.4': () => import('../generated/validators/profile-export.1.4.js'),
  'profile-record': () => import('../generated/validators/profile-record.js'),
  'raw-record': () => import('../generated/validators/raw-record.js'),
  'profile-timeslices.1.0': () => import('../generated/validators/profile-timeslices.1.0.js'),
  'profile-aggregate.1.0': () => import('../generated/validators/profile-aggregate.1.0.js'),
  'profile-collated.1.0.0': () => import('../generated/validators/profile-collated.1.0.0.js'),
  'profile-sweep.1.0': () => import('../generated/validators/profile-sweep.1.0.js'),
  'search-history.1.0': () => import('../generated/validators/search-history.1.0.js'),
  'phase-manifest.1': () => import('../generated/validators/phase-manifest.1.js'),
  'phase-server-metrics.1': () => import('../generated/validators/phase-server-metrics.1.js'),
  'phase-gpu-telemetry.1': () => import('../generated/validators/phase-gpu-telemetry.1.js'),
  inputs: () => import('../generated/validators/inputs.js'),
  'outputs.1.0': () => import('../generated/validators/outputs.1.0.js'),
  'results-ready': () => import('../generated/validators/results-ready.js'),
  'trend.1': () => import('../generated/validators/trend.1.js'),
  'push.1': () => import('../generated/validators/push.1.js'),
};

/** Loads the validator of a schema. */
export async function loadValidator(name: SchemaName): Promise<SchemaValidator> {
  return (await LOADERS[name]()).validate;
}

/**
 * Functions that import the validator of a metric in each schema whose documents are also written as CSV. Rows
 * of CSV files are validated against it.
 */
const BLOCK_LOADERS: Readonly<
  Record<BlockSchema, () => Promise<{ readonly validateBlock: SchemaValidator }>>
> = {
  'server-metrics.1.1': () => import('../generated/validators/server-metrics.1.1.js'),
  'profile-export.1.4': () => import('../generated/validators/profile-export.1.4.js'),
  'profile-aggregate.1.0': () => import('../generated/validators/profile-aggregate.1.0.js'),
  'profile-sweep.1.0': () => import('../generated/validators/profile-sweep.1.0.js'),
};

type BlockSchema =
  | 'server-metrics.1.1'
  | 'profile-export.1.4'
  | 'profile-aggregate.1.0'
  | 'profile-sweep.1.0';

/** Loads the validator of a metric in the documents of a schema. */
export async function loadBlockValidator(name: BlockSchema): Promise<SchemaValidator> {
  return (await BLOCK_LOADERS[name]()).validateBlock;
}

/** Shape of the documents of each schema. Older profile exports have a subset of the fields of version 1.4. */
export const schemaShapes: Readonly<Record<SchemaName, Shape>> = {
  'server-metrics.1.0': serverMetrics,
  'server-metrics.1.1': serverMetrics,
  'server-metrics.legacy': legacyServerMetrics,
  'server-metrics-record': serverMetricsRecord,
  'gpu-telemetry-record': gpuTelemetryRecord,
  'profile-export.1.0': profileExport,
  'profile-export.1.1': profileExport,
  'profile-export.1.2': profileExport,
  'profile-export.1.3': profileExport,
  'profile-export.1.4': profileExport,
  'profile-record': profileRecord,
  'raw-record': rawRecord,
  'profile-timeslices.1.0': profileTimeslices,
  'profile-aggregate.1.0': profileAggregate,
  'profile-collated.1.0.0': profileCollated,
  'profile-sweep.1.0': profileSweep,
  'search-history.1.0': searchHistory,
  'phase-manifest.1': phaseManifest,
  'phase-server-metrics.1': phaseServerMetrics,
  'phase-gpu-telemetry.1': phaseGpuTelemetry,
  inputs,
  'outputs.1.0': outputs,
  'results-ready': resultsReady,
  'trend.1': trend,
  'push.1': push,
};
