import type { Endpoint, Message } from '../endpoint/endpoint.ts';
import type { Session } from './session.ts';
import type { Target } from './target.ts';

/** The target and messages of a request, which depend on what the server has stored. */
export interface RequestContent {
  readonly target: Target;
  readonly messages: readonly Message[];
}

/**
 * Reports whether requests name the previous response instead of repeating the earlier messages: with the API `responses`, if
 * `store` is true.
 */
export function storesResponses({ name }: Endpoint, { extraInputs }: Target): boolean {
  return name === 'responses' && String(extraInputs?.store).toLowerCase() === 'true';
}

/** Selects the messages of the current turn, and the field that names the previous response if the server stores it. */
export function selectContent(session: Session, target: Target, isStored: boolean): RequestContent {
  const { previousResponseId, sendsHistory, current } = session;
  // A complete turn contains the earlier messages itself.
  if (!isStored || previousResponseId === undefined || !sendsHistory || current.isComplete === true)
    return { target, messages: session.buildMessages() };
  const extraInputs = { previous_response_id: previousResponseId, ...target.extraInputs };
  return { target: { ...target, extraInputs }, messages: session.buildNewMessages() };
}
