import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashRawSync, hashSync, verifySync } from '@node-rs/argon2';
import { answerCalls } from '@holdfast/foundation/thread-calls';
import type { HashOrder, HashResult } from './hash-order.ts';

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

function carryOut(order: HashOrder): HashResult {
  if (order.kind === 'compare') return verifySync(order.stored, order.secret);
  return order.kind === 'hash' ? hashSync(order.secret, order.settings) : hashRawSync(order.secret, order.settings);
}

giveWay();
answerCalls<HashOrder>(parentPort, (order) => ({ result: carryOut(order), transfer: [] }));
