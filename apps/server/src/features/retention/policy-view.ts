import { previewHours, type Policy, type PolicyPlace, type PolicySummary, type RetentionEvent } from '@holdfast/contract/retention';
import type { DirectoryAttribute } from '@holdfast/contract/retention-terms';
import { covers, isSearchChanged, isSearched, maximumOf, minimumOf, type MailboxRow, type PlaceRow, type PolicyRow } from './policy-row.ts';
import type { EventRow } from './retention.store.ts';

const HOUR_MS = 3_600_000;

export function mailboxView({ resource_id, name, address }: MailboxRow) {
  return { mailboxId: resource_id, name, email: address };
}

function placeView({ resource_id, resource_name, item_key, name, is_container }: PlaceRow): PolicyPlace {
  return {
    resourceId: resource_id,
    resourceName: resource_name,
    nodeId: item_key === '' ? null : item_key,
    name,
    isContainer: is_container,
  };
}

/** Until when a preview lets a policy come into force. */
export function validUntil(previewedAt: Date): Date {
  return new Date(previewedAt.getTime() + previewHours * HOUR_MS);
}

export function statusOf({ ended_at, end_asked_at, activated_at, asked_at }: PolicyRow): Policy['status'] {
  if (ended_at !== null) return 'ended';
  if (activated_at !== null) return end_asked_at === null ? 'active' : 'ending';
  return asked_at === null ? 'draft' : 'waiting';
}

/** Whether it keeps something now: also while somebody is asked to end it. */
export function isInForce(row: PolicyRow | undefined): row is PolicyRow {
  return row !== undefined && ['active', 'ending'].includes(statusOf(row));
}

type StoredPreview = Omit<PolicySummary, 'at' | 'validUntil' | 'due' | 'dueKept'> & Partial<Pick<PolicySummary, 'due' | 'dueKept'>>;

const nothing = { messages: 0, bytes: 0 };

function summaryOf({ preview, previewed_at }: PolicyRow): PolicySummary | null {
  if (preview === null || previewed_at === null) return null;
  // Previews before there were maximums say nothing of them.
  const { due = nothing, dueKept = nothing, ...counted } = preview as StoredPreview;
  return { ...counted, due, dueKept, at: previewed_at.toISOString(), validUntil: validUntil(previewed_at).toISOString() };
}

/** The body was checked when it was stored. */
const attributeOf = (name: string): DirectoryAttribute => name as DirectoryAttribute;

/** How long a policy keeps and after how long it deletes, and from when. */
const periodView = (row: PolicyRow) => ({
  about: row.about,
  anchor: row.anchor,
  eventKind: row.event_kind,
  length: minimumOf(row)?.period.length ?? null,
  maximum: maximumOf(row)?.period.length ?? null,
  start: row.starts,
  fiscalYearEnd: row.fiscal_year_end,
});

const searchView = (row: PolicyRow): Policy['search'] => {
  const { search_id, search_name, search_query, search_version } = row;
  if (search_name === null || search_query === null || search_version === null) return null;
  return {
    searchId: search_id,
    name: search_name,
    query: search_query,
    queryVersion: search_version,
    isChanged: isInForce(row) && isSearchChanged(row),
  };
};

const stoppedView = ({ stopped_at, stopper }: PolicyRow): Policy['stopped'] =>
  stopped_at === null ? null : { at: stopped_at.toISOString(), by: stopper ?? '' };

export function policyView(row: PolicyRow): Policy {
  return {
    policyId: row.policy_id,
    name: row.name,
    status: statusOf(row),
    ...periodView(row),
    mailboxes:
      row.is_everything || row.about === 'files' || row.attributes.length > 0 || isSearched(row) ? null : row.mailboxes.map(mailboxView),
    attributes: row.attributes.map(({ attribute, values }) => ({ attribute: attributeOf(attribute), values: [...values] })),
    search: searchView(row),
    labels: row.labels.map(({ labelId, name }) => ({ labelId, name })),
    places: row.places.map(placeView),
    stages: row.stages.map((accountIds) => ({
      reviewers: accountIds.map((userId) => row.reviewers.find((one) => one.userId === userId) ?? { userId, email: '' }),
    })),
    replaces: row.replaces === null ? null : { policyId: row.replaces, name: row.replaced_name ?? '' },
    creator: row.creator,
    createdAt: row.created_at.toISOString(),
    preview: summaryOf(row),
    activatedAt: row.activated_at?.toISOString() ?? null,
    stopped: stoppedView(row),
    endReason: row.end_reason,
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

/** Labels as the audit log has them; nothing without any. */
const loggedLabels = (labels: Policy['labels']): { readonly labels?: readonly string[] } =>
  labels.length === 0 ? {} : { labels: labels.map(({ labelId, name }) => (name === '' ? labelId : `${name} (${labelId})`)) };

/** The terms of a policy as the audit log has them. */
export function loggedTerms({
  mailboxes,
  attributes,
  search,
  labels,
  places,
  length,
  maximum,
  stages,
  anchor,
  start,
  replaces,
  endReason,
}: Policy): Readonly<Record<string, string | number | readonly string[] | null>> {
  return {
    anchor,
    ...(length === null ? {} : { amount: length.amount, unit: length.unit }),
    ...(maximum === null ? {} : { maximum: maximum.amount, maximumUnit: maximum.unit }),
    start,
    mailboxes: mailboxes?.map((one) => one.email || one.name) ?? null,
    ...(attributes.length === 0 ? {} : { attributes: attributes.map(({ attribute, values }) => `${attribute}: ${values.join(', ')}`) }),
    ...(search === null ? {} : { query: `${search.name}: ${search.query}` }),
    ...loggedLabels(labels),
    ...(places.length === 0
      ? {}
      : { places: places.map(({ resourceName, name: item }) => (item === '' ? resourceName : `${resourceName}: ${item}`)) }),
    ...(stages.length === 0 ? {} : { reviewers: stages.map(({ reviewers }) => reviewers.map(({ email }) => email).join(', ')) }),
    replaces: replaces?.name ?? null,
    ...(endReason === null ? {} : { reason: endReason }),
  };
}

/** An event, with the policies in force whose period it starts: `onFiles` are the ids of those on files. */
export function eventView(row: EventRow, inForce: readonly PolicyRow[], onFiles: ReadonlySet<string> | undefined): RetentionEvent {
  const started = inForce.filter(
    (policy) => onFiles?.has(policy.policy_id) === true || (policy.event_kind === row.kind && covers(policy, row.resource_id)),
  );
  return {
    eventId: row.event_id,
    kind: row.kind,
    subject: mailboxView(row),
    items: row.items.map((item) => ({ nodeId: item.item_key, name: item.name, isContainer: item.is_container })),
    description: row.description,
    date: row.happened_on,
    recorder: row.recorder,
    recordedAt: row.recorded_at.toISOString(),
    policies: started.map(({ name }) => name),
  };
}
