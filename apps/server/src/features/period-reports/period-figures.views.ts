import type { ReportFigures } from '@holdfast/contract/period-reports';
import type { Database, Scope, Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { createMailboxesViews } from '../dashboard/index.ts';
import { createProtectionViews, createReportsViews } from '../reporting/index.ts';
import { attentionOf } from './attention.policy.ts';
import type { Period } from './period.ts';
import { controlFigures } from './period-control.views.ts';
import { LISTED, runFigures } from './period-runs.views.ts';

/** Whose report it is, and how it is written. */
export interface ReportOwner {
  readonly organisation: string;
  readonly tenant: string;
  readonly timeZone: string;
  readonly language: 'en' | 'de';
  readonly isMailed: boolean;
}

export async function ownerOfReports(tx: Tx, tenantId: string): Promise<ReportOwner | undefined> {
  const { rows } = await sql<ReportOwner>`
    select organisation.name as organisation, coalesce(nullif(tenant.display_name, ''), tenant.name) as tenant,
      coalesce(organisation.time_zone, 'UTC') as "timeZone", organisation.report_language as language, organisation.mail_reports as "isMailed"
    from tenants tenant join organisations organisation using (organisation_id, realm) where tenant.tenant_id = ${tenantId}`.execute(tx);
  return rows[0];
}

/** Everything that a report says of a period. */
export type CountPeriod = (scope: Scope, period: Period, owner: ReportOwner, at: Date) => Promise<ReportFigures>;

export function createPeriodFigures(database: Database): CountPeriod {
  const protection = createProtectionViews(database);
  const reports = createReportsViews(database);
  const mailboxes = createMailboxesViews(database);

  async function evidenceOf(scope: Scope, { tenantId, from, to }: Period, at: Date): Promise<ReportFigures['evidence']> {
    const found = await reports.evidence(scope, tenantId, at, { from: from.toISOString(), to: to.toISOString() });
    const items = found.map(({ runId, kind, at: when, locationName, checked, deviations }) => ({
      runId,
      kind,
      at: when,
      locationName,
      checked,
      deviations,
    }));
    // Deviations of runs that the report has no room for count too.
    const all = found.reduce((sum, { deviations }) => sum + deviations, 0);
    return { total: found.length, items: items.slice(0, LISTED), deviations: all };
  }

  async function topOf(scope: Scope, tenantId: string): Promise<ReportFigures['top']> {
    const by = async (order: 'size' | 'messages' | 'attachments') =>
      (await mailboxes.top(scope, tenantId, order)).map(({ resourceId: _resourceId, ...mailbox }) => mailbox);
    return { size: await by('size'), messages: await by('messages'), attachments: await by('attachments') };
  }

  return async (scope, period, { organisation, tenant, timeZone }, at) => {
    const { tenantId } = period;
    const gaps = await protection.notProtected(scope, tenantId, { limit: LISTED, wholeOnly: true, withoutExcluded: true });
    const found = {
      organisation,
      tenant,
      timeZone,
      protection: await protection.counts(scope, tenantId),
      notProtected: {
        total: gaps.total,
        items: gaps.items.map(({ name, address, workload, reason }) => ({ name, address, workload, reason })),
      },
      ...(await database.within(scope, (tx) => runFigures(tx, period, timeZone))),
      top: await topOf(scope, tenantId),
      evidence: await evidenceOf(scope, period, at),
      ...(await database.within(scope, (tx) => controlFigures(tx, period))),
    };
    return { ...found, attention: attentionOf(found) };
  };
}
