import { redactUrl } from '@org/core';
import { SourceError } from '../sourceError.ts';
import type { Cluster } from './cluster.ts';
import { describePlace, type Resource } from './resource.ts';

/** The verb of a request, as in rules of RBAC. */
export type Verb = 'list' | 'watch';

/** An error that the API of Kubernetes returned. The message is complete. */
export class ApiError extends SourceError {
  readonly status: number;
  readonly verb: Verb;

  constructor(message: string, status: number, verb: Verb) {
    super(message);
    this.status = status;
    this.verb = verb;
  }
}

/** Status of a watch whose version of the list is no longer available. The objects must be listed again. */
export const GONE = 410;
const MAX_SHOWN_CHARACTERS = 300;

/** Creates the error for a response of the API. `body` is its text, usually a `Status` object. */
export function createApiError(
  cluster: Cluster,
  resource: Resource,
  verb: Verb,
  status: number,
  body: string,
): ApiError {
  const action = `cannot ${verb} ${resource.plural} ${describePlace(resource)}`;
  const message = `${action}: ${describeStatus(cluster, resource, verb, status, body)}`;
  return new ApiError(message, status, verb);
}

function describeStatus(
  { server, user }: Cluster,
  resource: Resource,
  verb: Verb,
  status: number,
  body: string,
): string {
  const text = readStatusMessage(body);
  if (status === 401)
    return `${redactUrl(server)} rejected the credentials of ${JSON.stringify(user)} (401); the token is invalid or has expired; sign in again, or check the kubeconfig`;
  if (status === 403)
    return `${describeIdentity(text, user)} lacks the verb ${verb} (403); ${formatRule(resource, verb)}`;
  const advice =
    status === 400 && resource.labelSelector !== undefined
      ? `; check the label selector ${JSON.stringify(resource.labelSelector)}`
      : '';
  return `${redactUrl(server)} responded with status ${status}${text === '' ? '' : `: ${text}`}${advice}`;
}

/** Describes the user of a rejected request by the name that the API server knows. */
function describeIdentity(text: string, user: string): string {
  const [, name] = /User "([^"]+)"/.exec(text) ?? [];
  return `user ${JSON.stringify(name ?? user)}`;
}

function formatRule({ plural, group, namespace }: Resource, verb: Verb): string {
  const kind = namespace === undefined ? 'ClusterRole' : `Role in namespace ${JSON.stringify(namespace)}`;
  return `add to its ${kind}: {apiGroups: [${JSON.stringify(group)}], resources: [${JSON.stringify(plural)}], verbs: [${JSON.stringify(verb)}]}`;
}

/** Returns the message of a `Status` object, shortened; empty if the body is not one. */
function readStatusMessage(body: string): string {
  try {
    const { message = '' } = JSON.parse(body) as { readonly message?: unknown };
    return String(message).replace(/\s+/g, ' ').slice(0, MAX_SHOWN_CHARACTERS);
  } catch {
    return '';
  }
}
