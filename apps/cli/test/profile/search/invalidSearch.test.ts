import { UsageError } from '@org/terminal';
import { parseCommandLine } from '@org/terminal/parse';
import { expect, test } from 'vitest';
import { profileCommand } from '../../../src/commands/profile.ts';
import { readProfileRuns } from '../../../src/profile/profileRuns.ts';
import { createIo } from '../../support/io.ts';
import { splitWords } from '../../support/options.ts';
import { makeSuiteFolder } from '../../support/temporaryFolder.ts';

const io = createIo(makeSuiteFolder());
const RECIPE = '--search-recipe max-concurrency-under-sla --e2e-sla-ms 5000';
const SPACE = '--search-space concurrency:1,9 --search-metric request_latency';

const TIERS = '--search-sla-tier a:request_latency:avg:lt:5 --search-sla-tier b:request_latency:avg:lt:9';

function read(line: string): unknown {
  return readProfileRuns(parseCommandLine(profileCommand, splitWords(`--model m ${line}`), ''), io);
}

test.each([
  ['--search-recipe max-concurrency-under-sla', /requires a limit/],
  ['--search-recipe max-throughput-ttft-sla --streaming', /requires --ttft-sla-ms/],
  ['--search-recipe max-throughput-ttft-sla --ttft-sla-ms 5', /requires --streaming/],
  [`${RECIPE} --concurrency-min 9 --concurrency-max 3`, /--concurrency-min 9 must be less than/],
  [`${RECIPE} --search-metric request_latency`, /--search-metric has no effect with --search-recipe/],
  [`${RECIPE} --concurrency 1,4`, /--concurrency has no effect .* which determines its values/],
  [
    '--search-recipe pareto-sweep --streaming --isl-osl-pairs 9/9,8/8 --isl 1,2',
    /--synthetic-input-tokens-mean has no effect .* which determines its values/,
  ],
  ['--search-recipe concurrency-ramp --search-max-iterations 9', /which runs a sweep of given values/],
  [`${RECIPE} --search-sla time_to_first_token:p95:lt:x`, /"x" is not a number/],
  [`${RECIPE} --search-sla-tier request_latency:avg:lt:5`, /is set once; expected 2 to 10 tiers/],
  [`${RECIPE} ${TIERS} --search-sla-tier a:request_latency:avg:lt:7`, /two tiers .* have the name "a"/],
  [`${RECIPE} --search-sla-tier a: --search-sla-tier b:x`, /invalid --search-sla-tier "a:"/],
  [`${RECIPE} ${TIERS} --search-sla-tier c:request_latency:avg:lt:x`, /"x" is not a number/],
  [
    `--search-space concurrency:1,9 --search-space isl:1,9 ${TIERS}`,
    /cannot use --search-sla-tier in a search of several/,
  ],
  [TIERS, /--search-sla-tier has no effect without --search-recipe or --search-space/],
  ['--search-space nothing:1,2 --search-metric m', /one of the parameters/],
  ['--search-space concurrency:5,2 --search-metric m', /a lowest value less than/],
  ['--search-space concurrency:1,9 --concurrency 4 --search-metric m', /cannot use both/],
  [`${SPACE} --search-planner isotonic`, /latin_hypercube, because/],
  [`${SPACE} --search-initial-points 30`, /less than --search-max-iterations 30/],
])('rejects %s', (line, message) => {
  expect(() => read(line)).toThrow(UsageError);
  expect(() => read(line)).toThrow(message);
});
