/**
 * Organisations: customers, who belongs to them and with which role.
 *
 * An organisation has one id and a row in each realm, so that staging rehearses with the same people
 * over separate data. Memberships are read fresh for every request (through a cache of five seconds
 * that changes clear at once), so that a changed role acts on the next one.
 *
 * It promises that nobody gives a role above their own, that the last owner stays, and that ending a
 * membership ends its sessions there. An invitation is bound to an address and becomes a membership when
 * the person accepts it; links and accounts go through identity, which owns accounts and mail.
 *
 * What a role may do is decided by the table of the contract; this feature only says who has it.
 */
export { actorEntry } from './organisations.service.ts';
export type { ProvidedMembers } from './provided-members.service.ts';
export { createAccessFeature, type AccessFeature } from './feature.ts';
export { createApproverReader, type Approver, type Approvers, type ReadApprovers } from './approvers.store.ts';
export { allScopes, createMembershipReader, listMemberships, readOrganisation, timeZoneOf } from './organisations.store.ts';
