/** A process that writes rounds until it is killed. Says on its output which rounds it was told are committed. */
import { writeSync } from 'node:fs';
import { nowIso, systemClock } from '@holdfast/foundation/clock';
import { createFilesystemBlobStore } from '../src/blob/filesystem.ts';
import { openScenario, runRound } from './crash-scenario.ts';

const [root = '', threads = '0'] = process.argv.slice(2);
const vault = await openScenario(createFilesystemBlobStore({ root }), { clock: systemClock, threads: Number(threads) });
writeSync(1, 'open\n');
for (;;) writeSync(1, `${await runRound(vault, nowIso(systemClock))}\n`);
