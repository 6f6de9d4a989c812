/** Derived metrics of server metrics documents. Kept separate, because exports need nothing else of this package. */
export { createDerivedBlock } from './derived/derivedBlock.ts';
