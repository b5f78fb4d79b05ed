import type { ErrorCode } from '@holdfast/contract/errors';

/** One text per error code. Lines marked `spec` are the specification's words, letter for letter. */
export const errors: Readonly<Record<ErrorCode, string>> = {
  'request.invalid': 'Invalid request', // spec
  'request.malformed-id': 'The address names something by an id that is not valid.',
  'request.malformed-json': 'The request is not valid JSON.',
  'request.unsupported-type': 'This kind of content is not accepted here. Send JSON.',
  'request.too-large': 'The request is too large.',
  'request.method-not-allowed': 'This address does not accept that method.',
  'request.rate-limited': 'Too many requests. Please wait a moment and try again.',
  'request.precondition-failed': 'Somebody else has changed this in the meantime. Reload it and try again.',
  'request.idempotency-conflict': 'This key has already been used for a different request.',
  unauthorized: 'Unauthorized', // spec
  'access-denied': 'Access denied', // spec
  'not-found': 'Resource not found', // spec
  internal: 'Internal server error', // spec
  'service.overloaded': 'The server is busy. Please try again in a few seconds.',
  'service.unavailable': 'This service is not available right now.', // spec
  'identity.invalid-credentials': 'Invalid Credentials.', // spec
  'identity.verification-failed': 'Login verification failed!', // spec
  'identity.invalid-code': 'Invalid User Verification Code. Attempts: {{count}}', // spec
  'identity.code-send-limit': 'Too many codes have been sent. Please wait 15 minutes and try again.',
  'identity.second-factor-required': 'Set up two-factor authentication before you go on.',
  'identity.email-not-confirmed': 'Your email is not confirmed. Until then the cloud space is blocked.',
  'identity.registration-closed': 'Accounts are created by invitation. Please contact your administrator.',
  'identity.reset-failed': 'Failed to reset password!', // spec
  'identity.password-invalid': 'Your password is invalid. Requires special characters and 6 lengths.', // spec
  'identity.already-set-up': 'This installation has already been set up. Please sign in.',
  'identity.invitation-above-role': 'You cannot give a role above your own.',
  'identity.last-owner': 'An organisation needs at least one owner. Make somebody else an owner first.',
  'identity.link-not-sent': 'Failed to send verification link', // spec
  'identity.setup-token-invalid': 'This setup link is not valid any more. Restart the server and use the link that it prints.',
  'identity.already-member': 'This person is already a member of the organisation or has an open invitation.',
  'identity.not-invited': 'There is no open invitation for this person.',
  'identity.not-joined': 'This person has not accepted the invitation yet.',
  'identity.invitation-over': 'This invitation has expired or was withdrawn. Ask the organisation for a new one.',
  'identity.invitation-other-address': 'This invitation is for a different email address. Sign in with the invited address.',
  'organisations.name-taken': 'A customer with this name already exists.',
  'workers.join-refused': 'This join token is not valid any more. Make a new one and try again.',
  'workers.address-taken': 'Another worker of this customer already has this address.',
  'workers.version-refused': "The worker's version is too far from that of the server. Bring both to the same version.",
  'workers.local-stays': "The worker inside the server can't be removed: it is there as long as the server is.",
  'workers.not-found': 'No worker of yours has this address.',
  'tenants.name-taken': 'A tenant with this name already exists.',
  'tenants.already-connected': 'This Microsoft 365 tenant is already connected.',
  'tenants.credential-refused': 'Microsoft refused the credential. Check client ID, tenant ID and the secret or certificate.',
  'tenants.certificate-invalid': 'The certificate cannot be read. Paste the certificate and its private key as one PEM text.',
  'tenants.thumbprint-mismatch': 'The thumbprint does not belong to this certificate.',
  'tenants.unreachable': 'Microsoft could not be reached. Check the connection of the server and try again.',
  'tenants.clock-skew': 'The clock of this server differs from Microsoft’s. Set the clock and try again.',
  'tenants.still-provisioned': 'Deprovision the tenant before you delete it.',
  'tenants.in-use': 'Data of this tenant is under hold. It cannot be deleted.',
  'tenants.holds-restore-points': 'The locations of this tenant hold restore points. It cannot be deleted as long as they do.',
  'tenants.busy': 'Another task of this tenant is still running. Please wait until it has finished.',
  'tenants.not-provisioned': 'This tenant is not provisioned.',
  'tenants.deprovisioned': 'This tenant is deprovisioned. Provision it again before you use it.',
  'locations.name-taken': 'A location with this name already exists.',
  'locations.test-failed': 'The location did not pass its test. Nothing has been saved.',
  'locations.path-refused': 'This folder may not be used. Choose one under a folder that the operator allows.',
  'locations.host-refused': 'This address may not be used. The operator has to allow it first.',
  'locations.overlaps': 'Another location or vault is at this place, within it or around it. Choose a place of its own.',
  'locations.in-use': 'This location holds restore points or is used by a job. It cannot be deleted.',
  'locations.immutability-shortened': 'Immutability can be made longer, not shorter or weaker.',
  'configuration.no-tenant': 'No Tenant was found in the Configuration. Please configure one.', // spec
  'configuration.not-saved': 'Could not update Configuration', // spec
  'configuration.users-not-synchronised': 'Failed to synchronize Users', // spec
  'configuration.workload-off':
    'This workload is turned off in the configuration of the tenant. An administrator must turn it on before its jobs can run.',
  'jobs.name-taken': 'A job with this name already exists.',
  'jobs.location-unknown': 'Please choose a location of this tenant.',
  'jobs.date-in-past': 'Please choose a date and time in the future.',
  'jobs.time-zone-unknown': 'This time zone is not known.',
  'jobs.type-fixed': 'Kind and workload of a job cannot be changed. Create a new job instead.',
  'jobs.already-running': 'The job has already been started.',
  'jobs.not-running': 'The job is not running.',
  'jobs.approval-needed': 'The job waits until a second person has approved it. See Approvals.',
  'holds.resource-unknown': 'There is nothing of this id that a hold could be put on.',
  'holds.not-active': 'This hold has been released already.',
  'approvals.not-open': 'This has already been decided.',
  'approvals.second-person-needed': 'Nobody approves what they asked for themselves: somebody else has to.',
  'approvals.second-person-exists': 'There is somebody who can approve this. The delay is only for those who have nobody to ask.',
  'approvals.not-yours': 'Somebody else asked for this.',
  'restore.source-unknown': 'This location holds nothing of that source.',
  'restore.point-unknown': 'There is no such restore point. It may have been removed by retention.',
  'restore.role-missing': 'Microsoft 365 has not granted a permission that this restore needs. Open Configuration to see which one.',
  'restore.reason-required': 'Please say why this content is opened.',
  'restore.target-unusable': 'Nothing can be restored to this target. Choose another one.',
  'restore.download-not-ready': 'The download is still being built.',
  'restore.download-expired': 'The download is no longer there. Please start it again.',
  'discovery.expression-invalid': 'This is not a regular expression. Check its brackets and backslashes.',
  'discovery.directory-unavailable': 'The directory of Microsoft 365 cannot be read right now. Please try again later.',
  'search.invalid': 'The search has mistakes. Correct the marked places, then search again.',
  'content.item-unknown': 'This item is not in that restore point.',
  'content.ticket-expired': 'This view has expired. Please open the item again.',
};
