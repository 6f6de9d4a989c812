import type { Frame, Layout } from '@org/core';

export function growLayout(layout: Layout, scrape: number): void;
export function makeFrame(layout: Layout, seed: number, scrape: number): Frame;
