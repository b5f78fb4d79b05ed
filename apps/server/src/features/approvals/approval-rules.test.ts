import { needsSecondPerson, phraseOfApproval } from '@holdfast/contract/approvals';
import { expect, test } from 'vitest';

test('nobody waits out a second person for what deletes messages: a deletion, or a policy with a maximum', () => {
  const kept = { messages: 3, shortened: 0 };
  expect(needsSecondPerson({ kind: 'messageDeletion', details: kept })).toBe(true);
  expect(needsSecondPerson({ kind: 'retentionPolicy', details: { ...kept, due: 0 } })).toBe(true);
  expect(needsSecondPerson({ kind: 'retentionPolicy', details: kept })).toBe(false);
  expect(needsSecondPerson({ kind: 'holdRelease', details: { due: 1 } })).toBe(false);
});

test('the request for a policy with a maximum says that it deletes', () => {
  expect(phraseOfApproval('retentionPolicy', { due: 0 })).toBe('retentionMaximum');
  expect(phraseOfApproval('retentionPolicy', {})).toBe('retentionPolicy');
  expect(phraseOfApproval('holdRelease', { due: 0 })).toBe('holdRelease');
});
