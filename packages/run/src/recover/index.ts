export { outcomesIn } from './outcomes.ts';
export { rebuildProfile } from './rebuild.ts';
