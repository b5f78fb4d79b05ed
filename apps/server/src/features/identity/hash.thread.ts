import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashRawSync, hashSync, verifySync } from '@node-rs/argon2';
import { errorText } from '@holdfast/foundation/errors';
import type { HashAnswer, HashOrder } from './hash-order.ts';

/** So far behind the rest of the process on a busy machine that a flood of guesses slows guesses. */
const NICER_BY = 10;
const NICEST = 19;

/** On Linux a thread has a priority of its own; elsewhere this would slow the whole process. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + NICER_BY, NICEST));
  } catch {
    // Where nobody may set it, hashing goes on as before.
  }
}

function carryOut(order: HashOrder): HashAnswer {
  try {
    if (order.kind === 'compare') return { result: verifySync(order.stored, order.secret) };
    return { result: order.kind === 'hash' ? hashSync(order.secret, order.settings) : hashRawSync(order.secret, order.settings) };
  } catch (error) {
    return { problem: errorText(error) };
  }
}

giveWay();
parentPort?.on('message', (order: HashOrder) => parentPort?.postMessage(carryOut(order)));
