import { mayDo, roles, type Role } from '@holdfast/contract/actions';
import type { ApproverStatus } from '@holdfast/contract/approvals';

/** The roles that may ask for approvals and give them. */
export const approverRoles: readonly Role[] = roles.filter((role) => mayDo(role, 'deletion.manage'));

/** A membership that may ask and approve, as it is stored. */
export interface Entitlement {
  readonly accountId: string;
  readonly role: Role;
  readonly entitledSince: Date;
  readonly entitledBy: string | null;
  readonly confirmedAt: Date | null;
}

/** What the standing of approvers depends on beside their own memberships. */
export interface ApproverRules {
  /** Days that somebody has to be entitled before they may approve. */
  readonly days: number;
  /** When an approver's rights were last taken away by somebody else. */
  readonly leftAt: Date | null;
  readonly at: Date;
}

/** Whether somebody may approve, and what is missing. */
export interface Standing {
  readonly status: ApproverStatus;
  /** When waiting is enough: the end of the time, while that is what is missing. */
  readonly until: Date | null;
  /** The owners of whom one has to confirm this person. */
  readonly confirmers: readonly string[];
}

const DAY_MS = 86_400_000;

/** Until when the loss of an approver is too recent to count on the remaining people alone; null when it is not. */
export function lossEndsAt({ leftAt, days, at }: ApproverRules): Date | null {
  const end = leftAt === null ? 0 : leftAt.getTime() + days * DAY_MS;
  return end > at.getTime() ? new Date(end) : null;
}

/** Nobody entitled a founder, so there is no second person to wait for. */
function waitedEnoughAt(person: Entitlement, { days }: ApproverRules): Date {
  const isFounder = person.entitledBy === person.accountId;
  return new Date(person.entitledSince.getTime() + (isFounder ? 0 : days * DAY_MS));
}

function standingOf(person: Entitlement, confirmers: readonly string[], rules: ApproverRules): Standing {
  const isUnconfirmed = person.confirmedAt === null;
  // Taking away the rights of everybody who could refuse must not make a newcomer an approver.
  const loss = isUnconfirmed && confirmers.length === 0 ? lossEndsAt(rules) : null;
  const enough = Math.max(waitedEnoughAt(person, rules).getTime(), loss?.getTime() ?? 0);
  if (enough > rules.at.getTime()) return { status: 'tooNew', until: new Date(enough), confirmers };
  if (confirmers.length > 0) return { status: 'unconfirmed', until: null, confirmers };
  return { status: 'ready', until: null, confirmers };
}

/**
 * Says of everybody who is entitled whether they may approve. Who was let in by one owner is confirmed by another
 * who could approve before them; where there is no such owner, time alone is enough, so that nobody is locked out.
 */
export function standings<T extends Entitlement>(people: readonly T[], rules: ApproverRules): (T & Standing)[] {
  const known: (T & Standing)[] = [];
  for (const person of people.toSorted((one, other) => one.entitledSince.getTime() - other.entitledSince.getTime())) {
    const mayConfirm = (other: T & Standing): boolean =>
      other.role === 'owner' &&
      other.status === 'ready' &&
      other.accountId !== person.entitledBy &&
      other.entitledSince.getTime() < person.entitledSince.getTime();
    const confirmers = person.confirmedAt === null ? known.filter(mayConfirm).map(({ accountId }) => accountId) : [];
    known.push({ ...person, ...standingOf(person, confirmers, rules) });
  }
  return known;
}

/** What of a membership decides whether it is entitled. */
export interface Holding {
  readonly role: Role;
  readonly disabled_at: Date | null;
  readonly ends_at: Date | null;
}

function isEntitled({ role, disabled_at: disabledAt, ends_at: endsAt }: Holding, at: Date): boolean {
  return approverRoles.includes(role) && disabledAt === null && (endsAt === null || endsAt > at);
}

/** Whether a change entitles somebody who was not, so that their time begins. */
export function becomesEntitled(before: Holding, after: Holding, at: Date): boolean {
  return !isEntitled(before, at) && isEntitled(after, at);
}

/** Whether somebody with a role of approvers is not one for good after a change. An end that is set counts at once. */
export function losesEntitlement(before: Holding, after: Holding | undefined): boolean {
  if (!approverRoles.includes(before.role)) return false;
  return after === undefined || !approverRoles.includes(after.role) || after.disabled_at !== null || after.ends_at !== null;
}
