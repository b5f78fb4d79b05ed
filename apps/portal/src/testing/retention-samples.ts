import type { Policy } from '@holdfast/contract/retention';

/** A draft of a policy on everything archived. */
export function aPolicy(given: Partial<Policy> = {}): Policy {
  return {
    policyId: '01900000-0000-7000-8000-0000000000c0',
    name: 'Letters',
    status: 'draft',
    anchor: 'received',
    eventKind: null,
    length: { amount: 6, unit: 'years' },
    maximum: null,
    start: 'calendarYear',
    fiscalYearEnd: 12,
    about: 'messages',
    mailboxes: null,
    attributes: [],
    search: null,
    labels: [],
    places: [],
    stages: [],
    replaces: null,
    creator: 'ben@contoso.example',
    createdAt: '2026-11-20T21:00:00.000Z',
    preview: null,
    activatedAt: null,
    stopped: null,
    endReason: null,
    endedAt: null,
    ...given,
  };
}
