import type { Administrator } from '../catalog/fill.ts';
import { scopeOf } from '../catalog/fill.ts';

const SCOPED = `'${scopeOf.organisationId}'::uuid, '${scopeOf.realm}'`;
const id = (index: number): string => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
export const tenantId: string = id(1);
export const sourceOf = (mailbox: number): string => id(1_000 + mailbox);

/** An organisation whose mailboxes hold so many messages in the catalog, with one restore point each. */
export async function makeGround({ query }: Administrator, mailboxes: number, each: number): Promise<void> {
  await query(`insert into organisations (organisation_id, realm, name, abbr, created_at) values (${SCOPED}, 'Contoso', 'CON', now())`);
  await query(`insert into tenants (organisation_id, realm, tenant_id, name, status, active, client_id, microsoft_tenant_id, credential, created_at)
     values (${SCOPED}, '${tenantId}', 'contoso', 'provisioned', true, '${id(2)}', '${id(3)}', 'secret', now())`);
  await query(`insert into locations (organisation_id, realm, location_id, tenant_id, name, kind, use, target, immutability, created_at)
     values (${SCOPED}, '${id(4)}', '${tenantId}', 'Vault', 'filesystem', 'both', '{"kind":"filesystem","path":"/nowhere"}', '{"mode":"none","days":0}', now())`);
  for (let mailbox = 0; mailbox < mailboxes; mailbox += 1) {
    const source = sourceOf(mailbox);
    await query(`insert into resources (organisation_id, realm, resource_id, tenant_id, workload, kind, graph_id, name, address)
      values (${SCOPED}, '${source}', '${tenantId}', 'exchange', 'mailbox', 'user-${mailbox}', 'Mailbox ${mailbox}', 'user${mailbox}@contoso.com')`);
    await query(`insert into catalog_sources (organisation_id, realm, source_id, location_id, resource_id, head_sequence, head_hash, head_cursor, items, points)
      values (${SCOPED}, '${source}', '${id(4)}', '${source}', 1, 'hash', '', ${each}, 1)`);
    await query(
      `insert into catalog_points (organisation_id, realm, source_id, sequence, run_id, committed_at) values (${SCOPED}, '${source}', 1, 'run', now())`,
    );
  }
  await query(`insert into catalog_items (organisation_id, realm, source_id, item_key, from_point, to_point, parent_key, kind, is_container, name,
      sort_name, size_bytes, created_at, modified_at, author, detail)
    select ${SCOPED}, ('00000000-0000-7000-8000-' || lpad((1000 + number % ${mailboxes})::text, 12, '0'))::uuid, 'AAMkr13GqhBAPa19ihjevbcimghuMJh' || number, 1,
      ${Number.MAX_SAFE_INTEGER}, 'inbox', 'message', false, 'Mail ' || number, 'mail ' || number, 4000, now(), now(), 'Person', '{}'
    from generate_series(0, ${mailboxes * each - 1}) number`);
  await query('analyze');
}

export const keyOf = (number: number): string => `AAMkr13GqhBAPa19ihjevbcimghuMJh${number}`;
