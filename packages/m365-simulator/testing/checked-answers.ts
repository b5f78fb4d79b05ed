import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { afterAll, inject } from 'vitest';

/** For every test file: counts the answers that simulators of this file have checked, and fails it when one was wrong. */
let checked = 0;
const violations: unknown[] = [];

const channel = 'holdfast.simulator.checked-answers';

function count(message: unknown): void {
  checked += 1;
  violations.push(...(message as { readonly found: readonly unknown[] }).found);
}

subscribe(channel, count);

afterAll(() => {
  // The next file of this process counts its own.
  unsubscribe(channel, count);
  if (checked === 0) return;
  appendFileSync(inject('checkedAnswersFile'), `${JSON.stringify({ checked, invalid: violations.length })}\n`);
  if (violations.length > 0) throw new Error(`Answers contradict the metadata: ${JSON.stringify(violations.slice(0, 20), null, 1)}`);
});
