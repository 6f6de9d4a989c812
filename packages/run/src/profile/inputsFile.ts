import { streamInputsJson, type WriteResult, writeFileAtomic } from '@org/formats/write';
import {
  type ConversationPayloads,
  countConversations,
  generatePayloads,
  type Inputs,
  type LoadSummary,
  openEndpoint,
  type SessionCounts,
} from '@org/loadgen';
import { ProgressReporter } from '../export/exportProgress.ts';
import { redactFields } from '../plan/endpointConfig.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { describeLoad } from './load.ts';
import { createRequestRedactor, redactStrings } from './secrets.ts';

/** Maximum number of conversations in inputs.json, so that a long run does not fill the disk. */
export const MAX_CONVERSATIONS = 100_000;

/** inputs.json, and the number of conversations that it lacks. */
export interface WrittenInputs {
  readonly file: WriteResult;
  readonly omitted: number;
}

/** Writes inputs.json: the requests of the conversations of a run, without secrets. */
export async function writeInputs(
  path: string,
  plan: ProfilePlan,
  inputs: Inputs,
  summary: Pick<LoadSummary, 'phases'>,
): Promise<WrittenInputs> {
  const sessions = countSessions(summary);
  const total = countConversations(inputs, sessions);
  const count = Math.min(total, MAX_CONVERSATIONS);
  const { target, ...load } = describeLoad(plan);
  const redactedTarget = { ...target, extraInputs: redactFields(target.extraInputs ?? {}) };
  const endpoint = await openEndpoint(load.endpoint ?? 'chat', target.format);
  const payloads = generatePayloads({ ...load, endpoint, target: redactedTarget }, inputs, sessions, count);
  const chunks = streamInputsJson(redactSessions(payloads, plan));
  const file = await writeFileAtomic(path, new ProgressReporter().pauseBetween(chunks));
  return { file, omitted: total - count };
}

function countSessions({ phases }: Pick<LoadSummary, 'phases'>): SessionCounts {
  const count = (name: string): number => phases.find(({ phase }) => phase === name)?.sessions ?? 0;
  return { warmup: count('warmup'), profiling: count('profiling') };
}

type InputSessions = Parameters<typeof streamInputsJson>[0];

function* redactSessions(
  sessions: Iterable<ConversationPayloads>,
  { request }: ProfilePlan,
): Generator<InputSessions extends Iterable<infer Session> ? Session : never> {
  const redactor = createRequestRedactor(request);
  for (const { id, payloads } of sessions)
    yield {
      session_id: redactor.redact(id),
      payloads: redactStrings(payloads, redactor) as Record<string, unknown>[],
    };
}
