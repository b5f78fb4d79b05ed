import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, organisationId } from '@holdfast/database';
import { silentLogger } from '@holdfast/foundation/logger';
import { createRecognitionStore } from '../recognition.store.ts';
import { recognised } from './made-scans.ts';

/** A process that recognises documents without an end until it is killed. Each item that it has taken is a line. */
const [, , url = '', organisation = '', nowMs = ''] = process.argv;
const scope = { organisationId: organisationId(organisation), realm: 'production' } as const;
const database = openDatabase({ url, role: 'holdfast_application', poolSize: 2, logger: silentLogger });
const store = createRecognitionStore(database);
const now = new Date(Number(nowMs));
/** Whoever comes after the next kill takes what this one leaves. */
const until = new Date(now.getTime() + 1_000);

process.stdout.write('ready\n');
for (;;) {
  const taken = await store.take(scope, now, until);
  if (!taken) {
    await sleep(5);
    continue;
  }
  process.stdout.write(`${taken.itemNo}\n`);
  await sleep(taken.itemNo % 4);
  await store.settle(scope, taken.itemNo, recognised(taken.hashes), until);
}
