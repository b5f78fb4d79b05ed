import type { ApprovalEffects, Approvals } from '../approvals/index.ts';
import type { LocationsService, RetentionApproval } from './locations.service.ts';

/** Locations ask before they keep things for a shorter time. */
export function retentionApproval(approvals: Pick<Approvals, 'ask' | 'lapse' | 'open'>): RetentionApproval {
  return {
    ask: (tx, { actor, scope, tenantId }, { locationId, name, from, to }) =>
      approvals.ask(tx, { actor, scope, tenantId, kind: 'shorterRetention', subject: { id: locationId, name }, details: { from, to } }),
    lapse: (tx, locationId) => approvals.lapse(tx, { kind: 'shorterRetention', subjectId: locationId }),
    open: async (tx) => new Map([...(await approvals.open(tx, 'shorterRetention'))].map(([id, { to }]) => [id, Number(to)])),
  };
}

/** What becomes of the wish in the end. */
export function retentionEffects(locations: Pick<LocationsService, 'shorten'>): ApprovalEffects {
  return {
    apply: (tx, { subjectId, details }) => locations.shorten(tx, subjectId, Number(details['to'])),
    drop: () => Promise.resolve(),
  };
}
