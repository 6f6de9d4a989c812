import { listEffectsOnRuns } from './listEffects.ts';
import { testEffects } from './testEffects.ts';

await testEffects(listEffectsOnRuns);
