import {
  procedureContent,
  procedureSections,
  type ProcedureContent,
  type ProcedureSection,
  type ProcedureVersion,
} from '@holdfast/contract/procedures';
import type { Page } from '@holdfast/contract/paging';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Selectable } from 'kysely';
import { pageFrom, windowOf } from '../../http/paging.ts';

export type ProcedureRow = Selectable<OrganisationTables['procedure_versions']>;

export const contentOf = (row: ProcedureRow): ProcedureContent => procedureContent.parse(row.content);

export function versionOf(row: ProcedureRow): ProcedureVersion {
  return {
    number: row.number,
    madeAt: row.made_at.toISOString(),
    maker: row.maker,
    changes: contentOf(row).changes.length,
    hash: row.hash,
  };
}

export interface VersionsQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly sort?: string | undefined;
}

export async function listVersions(tx: Tx, tenantId: string, query: VersionsQuery): Promise<Page<ProcedureVersion>> {
  const window = windowOf(query);
  const all = tx.selectFrom('procedure_versions').where('tenant_id', '=', tenantId);
  const order = query.sort === 'number' ? 'asc' : 'desc';
  const rows = await all.selectAll().orderBy('number', order).limit(window.limit).offset(window.offset).execute();
  const { total } = await all.select((versions) => versions.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return pageFrom(rows.map(versionOf), total, window);
}

export function readVersion(tx: Tx, tenantId: string, number: number): Promise<ProcedureRow | undefined> {
  return tx.selectFrom('procedure_versions').selectAll().where('tenant_id', '=', tenantId).where('number', '=', number).executeTakeFirst();
}

/** The newest version of a tenant. Two that are made at once come one after the other. */
export async function newestVersion(tx: Tx, tenantId: string): Promise<ProcedureRow | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('procedures ' || ${tenantId}, 0))`.execute(tx);
  return tx
    .selectFrom('procedure_versions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function addVersion(
  tx: Tx,
  {
    content,
    ...version
  }: Omit<ProcedureRow, 'organisation_id' | 'realm' | 'content' | 'reminded_at'> & { readonly content: ProcedureContent },
): Promise<void> {
  await tx
    .insertInto('procedure_versions')
    .values({ ...version, content: JSON.stringify(content) })
    .execute();
}

export async function readSections(tx: Tx, tenantId: string): Promise<ProcedureSection[]> {
  const row = await tx.selectFrom('procedure_sections').select('sections').where('tenant_id', '=', tenantId).executeTakeFirst();
  return row ? procedureSections.shape.sections.parse(row.sections) : [];
}

export async function saveSections(tx: Tx, tenantId: string, sections: readonly ProcedureSection[]): Promise<void> {
  const kept = JSON.stringify(sections);
  await tx
    .insertInto('procedure_sections')
    .values({ tenant_id: tenantId, sections: kept })
    .onConflict((conflict) => conflict.columns(['organisation_id', 'realm', 'tenant_id']).doUpdateSet({ sections: kept }))
    .execute();
}

export interface DueVersion {
  readonly tenantId: string;
  readonly number: number;
  readonly tenant: string;
}

/** The newest versions that are older than a moment and of which nobody was reminded; they are noted as reminded. */
export async function takeDue(tx: Tx, before: Date, now: Date): Promise<readonly DueVersion[]> {
  const { rows } = await sql<DueVersion>`
    update procedure_versions version set reminded_at = ${now} from tenants tenant
    where tenant.organisation_id = version.organisation_id and tenant.realm = version.realm and tenant.tenant_id = version.tenant_id
      and version.made_at < ${before} and version.reminded_at is null
      and not exists (select from procedure_versions newer where newer.organisation_id = version.organisation_id and newer.realm = version.realm
        and newer.tenant_id = version.tenant_id and newer.number > version.number)
    returning version.tenant_id as "tenantId", version.number, coalesce(nullif(tenant.display_name, ''), tenant.name) as tenant`.execute(
    tx,
  );
  return rows;
}
