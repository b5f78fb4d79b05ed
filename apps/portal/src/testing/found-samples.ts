import type { Preview } from '@holdfast/contract/content';
import type { SearchCoverage, SearchHit } from '@holdfast/contract/search';

/** A mail that a search found. */
export function aHit(given: Partial<SearchHit> = {}): SearchHit {
  return {
    hitId: '1',
    locationId: '01900000-0000-7000-8000-0000000000c1',
    sourceId: '01900000-0000-7000-8000-0000000000c2',
    nodeId: 'm1',
    sequence: 3,
    kind: 'email',
    workload: 'exchange',
    title: 'Offer for Fabrikam',
    sender: 'Anna Schmidt',
    at: '2026-11-20T21:00:00.000Z',
    sizeBytes: 4_096,
    attachments: 0,
    state: 'indexed',
    resource: {
      resourceId: '01900000-0000-7000-8000-0000000000c3',
      name: 'Adele Vance',
      address: 'adele@contoso.example',
      kind: 'mailbox',
    },
    isDeleted: false,
    lastSeenAt: '2026-11-20T21:00:00.000Z',
    ...given,
  };
}

/** So many items, of which all were searched unless it says otherwise. */
export function aCoverage(items: number, given: Partial<SearchCoverage> = {}): SearchCoverage {
  const unread = { encrypted: 0, unsupported: 0, tooLarge: 0, failed: 0, scansWaiting: 0, scansRead: 0, scansFailed: 0 };
  return { items, searched: items, ...unread, ...given };
}

/** What the mail says. */
export function aMailPreview(title = 'Offer for Fabrikam'): Preview {
  return {
    kind: 'message',
    title,
    from: 'Anna Schmidt <anna@contoso.example>',
    to: [],
    cc: [],
    at: null,
    text: 'The price is 42.',
    frame: null,
    attachments: [],
    properties: [],
    versions: [],
    gone: [],
  };
}
