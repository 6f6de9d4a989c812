import { listEffectsOnLoad } from './listEffects.ts';
import { testEffects } from './testEffects.ts';

await testEffects(listEffectsOnLoad);
