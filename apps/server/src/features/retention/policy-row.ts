import type { PolicyBody } from '@holdfast/contract/retention-terms';
import type { OrganisationTables } from '@holdfast/database';
import type { Selectable } from 'kysely';
import type { PolicyTerms } from './periods.ts';

type Policies = OrganisationTables['retention_policies'];

/** An archived mailbox. */
export interface MailboxRow {
  readonly resource_id: string;
  readonly name: string;
  readonly address: string;
}

/** A site or drive, or a file or folder of it, that a policy is on. An empty key stands for everything of it. */
export interface PlaceRow {
  readonly resource_id: string;
  readonly resource_name: string;
  readonly item_key: string;
  readonly name: string;
  readonly is_container: boolean;
}

/** A policy with what it names and the policy it replaces. */
export type PolicyRow = Selectable<Policies> & {
  /** The archives that it keeps; none for one of everything. */
  readonly mailboxes: readonly MailboxRow[];
  /** Those whose messages it may delete, where attributes say whose. */
  readonly deleting: readonly string[];
  readonly places: readonly PlaceRow[];
  /** The version of its search that is in force now; null without a search. */
  readonly current_version: number | null;
  readonly replaced_name: string | null;
  /** The accounts of its stages that there are. */
  readonly reviewers: readonly { readonly userId: string; readonly email: string }[];
};

type Unit = NonNullable<Selectable<Policies>['unit']>;

function termsOf(
  { policy_id, name, anchor, event_kind, starts, fiscal_year_end }: PolicyRow,
  amount: number | null,
  unit: Unit | null,
): PolicyTerms | null {
  if (amount === null || unit === null) return null;
  const period = { anchor, length: { amount, unit }, start: starts, fiscalYearEnd: fiscal_year_end };
  return { policyId: policy_id, name, eventKind: event_kind, period };
}

/** How long a policy keeps what it is on at least; null for one that deletes alone. */
export const minimumOf = (row: PolicyRow): PolicyTerms | null => termsOf(row, row.amount, row.unit);

/** After how long it deletes what it is on; null for one that keeps alone. */
export const maximumOf = (row: PolicyRow): PolicyTerms | null => termsOf(row, row.maximum_amount, row.maximum_unit);

/** Whether a policy goes by what a saved search finds. */
export const hasSearch = ({ search_query }: PolicyRow): boolean => search_query !== null;

/** Whether a policy goes by the sensitivity labels of items. */
export const hasLabels = ({ labels }: PolicyRow): boolean => labels.length > 0;

/** Whether a policy is on single items that the index has to name. */
export const isSearched = (row: PolicyRow): boolean => hasSearch(row) || hasLabels(row);

/** Whether somebody has written another query of its search since it was counted, or the search is gone. */
export const isOutdated = (row: PolicyRow): boolean => hasSearch(row) && row.search_version !== row.current_version;

/** The same since two people have approved the policy: its maximum deletes nothing by its search. */
export const isSearchChanged = (row: PolicyRow): boolean => row.activated_at !== null && isOutdated(row);

/**
 * Whether a policy is on an archived mailbox, and keeps what it has. One by attributes keeps all that is yet to have an archive; one by search
 * may be on messages of any.
 */
export function covers(policy: PolicyRow, resourceId: string): boolean {
  const { about, is_everything, mailboxes, attributes } = policy;
  const isAwaited = resourceId === '' && attributes.length > 0;
  return (
    about === 'messages' &&
    (is_everything || isAwaited || isSearched(policy) || mailboxes.some(({ resource_id }) => resource_id === resourceId))
  );
}

/** Whether a policy may delete what an archived mailbox has: one by attributes only what the directory says now. */
export function deletesIn(policy: PolicyRow, resourceId: string): boolean {
  if (isSearched(policy)) return policy.about === 'messages' && !isSearchChanged(policy);
  return policy.attributes.length > 0 ? policy.deleting.includes(resourceId) : covers(policy, resourceId);
}

/** Whether a policy is on a site or drive, or on something of it. */
export function reaches(policy: PolicyRow, resourceId: string): boolean {
  const { about, places } = policy;
  return (isSearched(policy) && about === 'files') || places.some(({ resource_id }) => resource_id === resourceId);
}

type Scoping = 'about' | 'mailboxes' | 'attributes' | 'searchId' | 'labels';

/** Whether a body names nothing that a policy is to be on alone. */
export const isOnEverything = ({ about, mailboxes, attributes, searchId, labels }: Pick<PolicyBody, Scoping>): boolean =>
  about === 'messages' && mailboxes === null && attributes.length === 0 && searchId === null && labels.length === 0;
