/**
 * Every public error code with its HTTP status. `phrases` must have an English and a German text for
 * each; one without does not compile. The part before the dot is the feature.
 */
export const errors = {
  // Any route
  'request.invalid': 400,
  'request.malformed-id': 400,
  'request.malformed-json': 400,
  'request.unsupported-type': 415,
  'request.too-large': 413,
  'request.method-not-allowed': 405,
  'request.rate-limited': 429,
  'request.precondition-failed': 412,
  'request.idempotency-conflict': 409,
  unauthorized: 401,
  'access-denied': 403,
  'not-found': 404,
  internal: 500,
  'service.overloaded': 503,
  'service.unavailable': 503,
  // Identity
  'identity.invalid-credentials': 401,
  'identity.verification-failed': 401,
  'identity.invalid-code': 400,
  'identity.code-send-limit': 429,
  'identity.second-factor-required': 403,
  'identity.email-not-confirmed': 403,
  'identity.registration-closed': 403,
  'identity.reset-failed': 400,
  'identity.already-set-up': 404,
  'identity.invitation-above-role': 403,
  'identity.last-owner': 409,
  // Identity, organisations and members
  'identity.setup-token-invalid': 403,
  'identity.already-member': 409,
  'identity.not-invited': 409,
  'identity.not-joined': 409,
  'identity.invitation-over': 410,
  'identity.invitation-other-address': 403,
  'organisations.name-taken': 409,
  // Workers
  'workers.join-refused': 403,
  'workers.address-taken': 409,
  'workers.version-refused': 409,
  'workers.local-stays': 409,
  // Tenants
  'tenants.name-taken': 409,
  'tenants.already-connected': 409,
  'tenants.credential-refused': 400,
  'tenants.certificate-invalid': 400,
  'tenants.thumbprint-mismatch': 400,
  'tenants.unreachable': 502,
  'tenants.clock-skew': 400,
  'tenants.still-provisioned': 409,
  'tenants.in-use': 409,
  'tenants.holds-restore-points': 409,
  'tenants.busy': 409,
  'tenants.not-provisioned': 409,
  'tenants.deprovisioned': 409,
  // Locations
  'locations.name-taken': 409,
  'locations.test-failed': 400,
  'locations.path-refused': 400,
  'locations.host-refused': 400,
  'locations.overlaps': 409,
  'locations.in-use': 409,
  'locations.immutability-shortened': 409,
  // Configuration
  'configuration.no-tenant': 404,
  'configuration.workload-off': 409,
  // Jobs, runs and restores
  'jobs.name-taken': 409,
  'jobs.location-unknown': 400,
  'jobs.location-use': 400,
  'jobs.type-unavailable': 400,
  'jobs.date-in-past': 400,
  'jobs.time-zone-unknown': 400,
  'jobs.type-fixed': 409,
  'jobs.already-running': 409,
  'jobs.not-running': 409,
  'jobs.approval-needed': 409,
  // Four eyes
  'approvals.not-open': 409,
  'approvals.second-person-needed': 403,
  'approvals.second-person-exists': 409,
  'approvals.not-yours': 403,
  // Legal holds
  'holds.resource-unknown': 400,
  'holds.not-active': 409,
  'restore.source-unknown': 404,
  'restore.point-unknown': 404,
  'restore.role-missing': 409,
  'restore.reason-required': 400,
  'restore.target-unusable': 400,
  'restore.download-not-ready': 409,
  'restore.download-expired': 404,
  'discovery.directory-unavailable': 503,
  'discovery.expression-invalid': 400,
  'search.invalid': 400,
  // Reports and documents
  'documents.file-required': 400,
  'documents.pdf-only': 400,
  'documents.name-refused': 400,
  'documents.too-large': 413,
  'documents.content-mismatch': 400,
  'documents.active-content': 400,
  'documents.encrypted': 400,
  'documents.name-taken': 409,
  'documents.quota': 409,
  'documents.no-location': 409,
  'content.item-unknown': 404,
  'content.ticket-expired': 404,
} as const;

export type ErrorCode = keyof typeof errors;

/** True for a code that clients know. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code);
}
