export { reconcile } from './reconcile.ts';
export type { ClientSide } from './sides.ts';
