/**
 * Appends frames to a journal as fast as possible, then waits to be killed. After each record, it writes one
 * byte to file descriptor 3: `f` for a frame, `m` for a mark, `h` for a health snapshot. It writes to stdout
 * when it starts. Usage: node appender.mjs JOURNAL SEED FSYNC_DELAY_MS
 */
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import { Layout } from '../../../../core/dist/layout/layout.js'; // loading all of core takes as long as starting Node
import { JournalWriter } from '../../../dist/journal/writer.js';
import { growLayout, makeFrame } from './server.mjs';

const [path, seed, fsyncDelayMs] = [argv[2], Number(argv[3]), Number(argv[4])];
writeSync(1, 'begin');
const journal = JournalWriter.open(path, { seed }, { fsyncDelayMs });
const layouts = [new Layout(), new Layout()];
layouts.forEach((_, index) => {
  journal.addEndpoint(index, { url: `http://host${index}/metrics`, configuredUrl: `host${index}` });
});

/** Maximum number of scrapes. About as many are written before the process is killed. */
const SCRAPES = 400;
for (let scrape = 0; scrape < SCRAPES; scrape++) {
  layouts.forEach((layout, index) => {
    growLayout(layout, scrape);
    if (!journal.append(index, layout, makeFrame(layout, seed + index, scrape)))
      throw new Error('no frame was written');
    report('f');
  });
  if (scrape % 10 === 5) {
    journal.addMark({ kind: 'note', atNs: BigInt(scrape) });
    report('m');
  }
  if (scrape % 10 === 8) {
    journal.addHealth(0, { scrape });
    report('h');
  }
  // Lets timers and disk callbacks run.
  if (scrape % 8 === 0) await new Promise(setImmediate);
}

setInterval(() => {}, 1000);

function report(kind) {
  writeSync(3, kind);
}
