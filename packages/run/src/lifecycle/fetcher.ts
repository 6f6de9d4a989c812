import {
  type Clock,
  createBasicAuthorization,
  DEFAULT_LIMITS,
  Fetcher,
  type Target,
  type UrlFetcher,
} from '@org/scrape';
import type { Settings } from './scrapeSettings.ts';

/** Fetches the bodies of a target, whose own settings win over those of the run. */
export function fetcherOf(target: Target, clock: Clock, settings: Settings): UrlFetcher {
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
    ...(access?.trust ? { trust: access.trust } : {}),
    compressed: access?.compressed === true,
  });
}
