import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { afterAll, inject } from 'vitest';

/** For every test file: counts the answers that simulators of this file have checked, and fails it when one was wrong. */
let checked = 0;
const violations: unknown[] = [];

subscribe('holdfast.simulator.checked-answers', (message) => {
  checked += 1;
  violations.push(...(message as { readonly found: readonly unknown[] }).found);
});

afterAll(() => {
  if (checked === 0) return;
  appendFileSync(inject('checkedAnswersFile'), `${JSON.stringify({ checked, invalid: violations.length })}\n`);
  if (violations.length > 0) throw new Error(`Answers contradict the metadata: ${JSON.stringify(violations.slice(0, 20), null, 1)}`);
});
