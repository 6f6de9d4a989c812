import type { Endpoint, Message } from '../endpoint/endpoint.ts';
import type { Session } from './session.ts';
import type { Target } from './target.ts';

/** The part of a request that depends on the messages that the server has. */
export interface RequestContent {
  readonly target: Target;
  readonly messages: readonly Message[];
}

/**
 * Reports whether the server stores responses, so that a request names the previous response instead of repeating the
 * earlier messages: with the API `responses`, if requests have the field `store`.
 */
export function storesResponses({ name }: Endpoint, { extraInputs }: Target): boolean {
  return name === 'responses' && String(extraInputs?.store).toLowerCase() === 'true';
}

/** Selects the messages of the current turn, and the field that names the previous response if the server stores it. */
export function selectContent(session: Session, target: Target, isStored: boolean): RequestContent {
  const { previousResponseId, sendsHistory } = session;
  if (!isStored || previousResponseId === undefined || !sendsHistory)
    return { target, messages: session.buildMessages() };
  const extraInputs = { previous_response_id: previousResponseId, ...target.extraInputs };
  return { target: { ...target, extraInputs }, messages: session.buildNewMessages() };
}
