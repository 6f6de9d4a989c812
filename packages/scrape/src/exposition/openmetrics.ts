import type { Exposition, ParseOptions } from './exposition.ts';
export function parseOpenMetrics(bytes: Uint8Array, options: ParseOptions): Exposition { return null as never }
