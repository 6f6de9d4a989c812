import { testInvalidSamples } from '../support/samples.ts';

testInvalidSamples('csv.json');
