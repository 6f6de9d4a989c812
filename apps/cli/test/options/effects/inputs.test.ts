import { listEffectsOnInputs } from './listEffects.ts';
import { testEffects } from './testEffects.ts';

await testEffects(listEffectsOnInputs);
