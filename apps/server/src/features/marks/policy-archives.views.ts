import { sql, type RawBuilder } from 'kysely';

/** Whether the alias `person` of the directory fits each rule of the alias `policy`; spaces around a value and its case count for nothing. */
const fits = sql`person.attributes is not null and not exists (
  select from jsonb_array_elements(policy.attributes) rule where not exists (
    select from jsonb_array_elements_text(rule -> 'values') as value
    where lower(btrim(value)) = lower(btrim(person.attributes ->> (rule ->> 'attribute')))))`;

const ours = sql`person.organisation_id = resource.organisation_id and person.realm = resource.realm
  and person.tenant_id = resource.tenant_id and person.graph_id = resource.graph_id`;

const isNamed = sql`exists (select from retention_policy_mailboxes named where named.organisation_id = policy.organisation_id
  and named.realm = policy.realm and named.policy_id = policy.policy_id and named.resource_id = resource.resource_id)`;

const byAttributes = sql`policy.attributes <> '[]'`;

/** Whether the directory says that the alias `policy` is on the archive of the alias `resource`. */
export const fitsNow = sql<boolean>`(${byAttributes} and exists (select from directory_people person where ${ours} and ${fits}))`;

/**
 * Whether the alias `policy` keeps messages of the archive of the alias `resource`: it names it, or the directory says so, has said so since
 * the policy came into force, or says nothing of its person. What decides is missing then, and that keeps.
 */
export const isUnderMinimum = sql<boolean>`(${isNamed} or ${fitsNow} or (${byAttributes} and (
  not exists (select from directory_people person where ${ours} and person.attributes is not null)
  or exists (select from retention_policy_people once where once.organisation_id = policy.organisation_id and once.realm = policy.realm
    and once.policy_id = policy.policy_id and once.resource_id = resource.resource_id))))`;

/** How old the word of the directory may be for something to be deleted by it. */
const TRUSTED_DAYS = 7;

/** Whether the alias `policy` by attributes may delete messages of that archive: only while the directory has the person, and has said so not long ago. */
export const isUnderMaximum: RawBuilder<boolean> = sql<boolean>`(${byAttributes} and exists (
  select from directory_people person where ${ours} and person.missing_at is null
    and person.seen_at > now() - make_interval(days => ${TRUSTED_DAYS}::int) and ${fits}))`;
