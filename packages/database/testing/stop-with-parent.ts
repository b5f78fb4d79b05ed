import { rm } from 'node:fs/promises';
import { askedToEnd } from '@holdfast/foundation/ending';
import { stopPostmaster } from '../src/embedded/postmaster.ts';

/** Stops a PostgreSQL and removes its folder when the process that started this one is gone. */
const [, , processId = '', dataFolder = ''] = process.argv;
// Something to wait with: listening for the parent alone keeps no process alive.
const waiting = setInterval(() => undefined, 60_000);
await askedToEnd();
clearInterval(waiting);
await stopPostmaster(Number(processId), 'SIGQUIT');
await rm(dataFolder, { recursive: true, force: true });
