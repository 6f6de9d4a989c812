import type { constants, roles } from './generated/roles.ts';

/** The meaning of a metric, independent of the server's names. */
export type MetricRole = keyof typeof roles;

/** The name of a value that formulas need and no server exports. */
export type Constant = keyof typeof constants;
