/** The entry point of the script in the page of a run. Its charts and text are already in the page. */

import type { RunPageData } from '../src/report/page.ts';
import { readPageData } from './readPageData.ts';
import { addActions, showRun } from './runPage.ts';

addActions();
void readPageData<RunPageData>().then(showRun);
