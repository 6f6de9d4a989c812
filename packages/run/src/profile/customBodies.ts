import { type Endpoint, generatePayloads, InputError, type Inputs, openEndpoint } from '@org/loadgen';
import { PlanError } from '../plan/planError.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';

type CustomPlan = Pick<ProfilePlan, 'request' | 'inputs' | 'seed'>;

/** Opens the API of a run. Throws `PlanError` if its template or its query is invalid. */
export async function openPlannedEndpoint({ request }: CustomPlan): Promise<Endpoint> {
  try {
    return await openEndpoint(request.endpoint, request.format);
  } catch (error) {
    throw toPlanError(error);
  }
}

/**
 * Renders the bodies of all conversations, so that a template that fails is reported before the load starts. If their
 * number is unlimited, the first one is rendered. Throws `PlanError` if a template fails, or if a recorded body is
 * missing.
 */
export function checkBodies(endpoint: Endpoint, { request, seed }: CustomPlan, inputs: Inputs): void {
  if (endpoint.name !== 'template' && endpoint.name !== 'raw') return;
  const target = { urls: request.urls, model: request.models, streaming: request.streaming };
  const sessions = { warmup: 0, profiling: 1 };
  try {
    const payloads = generatePayloads({ endpoint, target, seed }, inputs, sessions, inputs.size ?? 1);
    while (payloads.next().done !== true);
  } catch (error) {
    throw toPlanError(error);
  }
}

function toPlanError(error: unknown): unknown {
  if (error instanceof InputError) return new PlanError('inputs', error.message);
  if (!(error instanceof Error) || error.name !== 'TemplateError') return error;
  return new PlanError('request.format', error.message);
}
