import { CONVERGENCE_EFFECTS } from './convergenceEffects.ts';
import type { Effects, EffectsContext } from './effect.ts';
import { listEndpointEffects } from './endpointEffects.ts';
import { listExportEffects } from './exportEffects.ts';
import { listInputEffects } from './inputEffects.ts';
import { listLoadEffects } from './loadEffects.ts';
import { MEDIA_EFFECTS } from './mediaEffects.ts';
import { NETWORK_EFFECTS } from './networkEffects.ts';
import { listPreparationEffects } from './preparationEffects.ts';
import { listPromptEffects } from './promptEffects.ts';
import { PROMPT_SHAPE_EFFECTS } from './promptShapeEffects.ts';
import { REPLAY_EFFECTS } from './replayEffects.ts';
import { listScheduleEffects } from './scheduleEffects.ts';
import { listScrapeEffects } from './scrapeEffects.ts';
import { SWEEP_EFFECTS } from './sweepEffects.ts';
import { TRACE_EFFECTS } from './traceEffects.ts';

/** Lists the effects of options on when requests are sent. */
export function listEffectsOnLoad({ server: { url } }: EffectsContext): Effects {
  return {
    ...listScheduleEffects(url),
    ...listLoadEffects(url),
    ...listPreparationEffects(url),
    ...NETWORK_EFFECTS,
  };
}

/** Lists the effects of options on what requests contain. */
export function listEffectsOnInputs({ server: { url }, cwd }: EffectsContext): Effects {
  return {
    ...listPromptEffects(cwd),
    ...PROMPT_SHAPE_EFFECTS,
    ...listInputEffects(url, cwd),
    ...TRACE_EFFECTS,
    ...REPLAY_EFFECTS,
    ...MEDIA_EFFECTS,
  };
}

/** Lists the effects of options on where requests and scrapes are sent, how runs are repeated, and what is exported. */
export function listEffectsOnRuns({ server }: EffectsContext): Effects {
  return {
    ...listEndpointEffects(server.url),
    ...CONVERGENCE_EFFECTS,
    ...SWEEP_EFFECTS,
    ...listExportEffects(server.url),
    ...listScrapeEffects(server),
  };
}
