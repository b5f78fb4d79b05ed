import { mayDo, type Role } from '@holdfast/contract/actions';
import type { MarkField } from '@holdfast/contract/query/fields';
import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';

/** Who asks, as far as it depends on it which marks they may see. */
export interface Sight {
  readonly tenantId: string;
  readonly accountId: string;
  readonly role: Role | undefined;
}

/** A mark by what it is called: the name of a hold, a policy, a case or a tag; of a note, what it says. */
export interface Mark {
  readonly id: string;
  readonly name: string;
}

const ours = (alias: string): RawBuilder<unknown> =>
  sql`${sql.ref(`${alias}.organisation_id`)} = holdfast.organisation() and ${sql.ref(`${alias}.realm`)} = holdfast.realm()`;

/** The cases that somebody may see: an owner all of the tenant, members their own. */
function seenCases({ tenantId, accountId, role }: Sight): RawBuilder<unknown> {
  const isSeen =
    role === 'owner'
      ? sql`true`
      : sql`${role !== undefined && mayDo(role, 'cases.work')} and exists (select from case_members own
          where own.organisation_id = matter.organisation_id and own.realm = matter.realm and own.case_id = matter.case_id
            and own.account_id = ${accountId})`;
  return sql`(select matter.* from cases matter where ${ours('matter')} and matter.tenant_id = ${tenantId} and ${isSeen})`;
}

/** Those of them whose contents they may see, and with it what reviewers have written: open ones, by the rule for contents of cases. */
function readCases(sight: Sight): RawBuilder<unknown> {
  const isOpenRole = sight.role === 'owner' || sight.role === 'administrator';
  return sql`(select matter.* from ${seenCases(sight)} matter where matter.closed_at is null
    and (${isOpenRole} and exists (select from organisations own where ${ours('own')} and own.content_access = 'open')
      or exists (select from case_members other where other.organisation_id = matter.organisation_id and other.realm = matter.realm
        and other.case_id = matter.case_id and other.account_id = ${sight.accountId} and other.added_by <> ${sight.accountId})))`;
}

/** Holds are on a page for whoever manages deletions; members of a case see its own. */
function holds(sight: Sight): RawBuilder<unknown> {
  const { tenantId, role } = sight;
  const seesAll = role !== undefined && mayDo(role, 'deletion.manage');
  return sql`select hold.hold_id as id, hold.name from holds hold where ${ours('hold')} and hold.tenant_id = ${tenantId}
    and hold.released_at is null and (${seesAll} or hold.case_id in (select matter.case_id from ${seenCases(sight)} matter))`;
}

function policies({ tenantId, role }: Sight): RawBuilder<unknown> {
  return sql`select policy.policy_id as id, policy.name from retention_policies policy where ${ours('policy')}
    and policy.tenant_id = ${tenantId} and policy.activated_at is not null and policy.ended_at is null
    and ${role !== undefined && mayDo(role, 'deletion.manage')}`;
}

const statements: Readonly<Record<MarkField, (sight: Sight) => RawBuilder<unknown>>> = {
  hold: holds,
  policy: policies,
  case: (sight) => sql`select matter.case_id as id, matter.matter as name from ${seenCases(sight)} matter
    union all select matter.case_id, matter.reference from ${seenCases(sight)} matter`,
  tag: (sight) => sql`select tag.tag_id as id, tag.name from case_tags tag where ${ours('tag')}
    and tag.case_id in (select matter.case_id from ${readCases(sight)} matter)`,
  note: (sight) => sql`select note.note_id as id, note.text as name from review_notes note
    join review_sets owned using (organisation_id, realm, set_id) where ${ours('note')}
    and owned.case_id in (select matter.case_id from ${readCases(sight)} matter)`,
};

/** The marks of a kind that somebody may see, with what each is called. */
export async function namedMarks(tx: Tx, field: MarkField, sight: Sight): Promise<readonly Mark[]> {
  const { rows } = await sql<Mark>`${statements[field](sight)}`.execute(tx);
  return rows;
}
