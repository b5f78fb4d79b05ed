import type { OutgoingEvent } from './transport.ts';

/** The name of the event that destinations are tested with. */
export const TEST_EVENT = 'forwarding.test';

/** An event that says that it is a test. The log has no event of this number. */
export function testEvent(scope: { readonly organisationId: string; readonly realm: 'production' | 'staging' }, at: Date): OutgoingEvent {
  return {
    sequence: 0,
    at: at.toISOString(),
    event: TEST_EVENT,
    outcome: 'succeeded',
    actor: 'Holdfast',
    actorId: null,
    realm: scope.realm,
    address: null,
    requestId: null,
    subjectKind: null,
    subjectId: null,
    subjectName: null,
    reason: null,
    details: {},
    leafHash: '',
    organisationId: scope.organisationId,
  };
}
