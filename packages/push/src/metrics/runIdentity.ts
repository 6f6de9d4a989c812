import { redactCommand } from '@org/core';
import type { Labels, RunIdentity } from './batch.ts';

/** The run that values belong to, as its caller describes it. */
export interface RunDescription {
  /** The models of the run; absent if they are unknown. */
  readonly models?: readonly string[];
  /** The API of the requests, such as `chat`; absent if the run sends none. */
  readonly endpointType?: string;
}

/** Names of the operations in OpenTelemetry's conventions, by API. Others keep the name of the API. */
const OPERATIONS: Readonly<Record<string, string>> = { completions: 'text_completion' };

/** Creates the identity of a run. Secrets in labels are replaced. */
export function createRunIdentity(
  runId: string,
  startMs: number,
  version: string,
  { models, endpointType }: RunDescription,
  userLabels: Labels,
): RunIdentity {
  const labels = {
    ...(models && models.length > 0 ? { 'gen_ai.request.model': models.join(',') } : {}),
    ...(endpointType === undefined
      ? {}
      : { 'gen_ai.operation.name': OPERATIONS[endpointType] ?? endpointType }),
  };
  return { runId, startMs, version, labels: redactLabels(labels), userLabels: redactLabels(userLabels) };
}

function redactLabels(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, redactLabel(name, value)]));
}

/** Replaces a value whose name suggests a secret, and secrets within other values. */
function redactLabel(name: string, value: string): string {
  const prefix = `${name}=`;
  return redactCommand([prefix + value])[0]!.slice(prefix.length);
}
