import type { Clock } from '@org/core';
import { createBasicAuthorization, DEFAULT_LIMITS, Fetcher, type Target, type UrlFetcher } from '@org/scrape';
import type { RunSettings } from '../plan/runPlan.ts';

/** Creates the HTTP client of a target. Settings of the target take precedence over settings of the run. */
export function createFetcher(target: Target, clock: Clock, settings: RunSettings): UrlFetcher {
  const { access, credentials } = target;
  const authorization = credentials
    ? createBasicAuthorization(credentials.user, credentials.password)
    : access?.authorization;
  const limits = { ...DEFAULT_LIMITS, ...access?.limits };
  return new Fetcher({
    clock,
    limits: { ...limits, timeoutMs: access?.timeoutMs ?? settings.reachabilityMs },
    ...(access?.headers ? { headers: access.headers } : {}),
    ...(authorization ? { authorization } : {}),
    ...(access?.tls ? { tls: access.tls } : {}),
    compressed: access?.compressed === true,
  });
}
