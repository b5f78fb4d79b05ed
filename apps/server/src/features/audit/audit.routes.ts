import { audit as contract, type AuditTimestamps } from '@holdfast/contract/audit';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import type { ResolvedOrganisation } from '../../http/ports.ts';
import type { AuditService } from './audit.service.ts';
import type { LogStamps } from './log-stamps.ts';

/** Writes an export of the log into the log. */
export type NoteExport = (asked: {
  readonly actor: { readonly accountId: string; readonly email: string };
  readonly organisation: ResolvedOrganisation;
  readonly address: string;
  readonly requestId: string;
}) => Promise<void>;

function timestampsView(state: Awaited<ReturnType<LogStamps['state']>>): AuditTimestamps | null {
  if (!state) return null;
  const { last, missing } = state;
  return {
    last: last ? { at: last.stampedAt.toISOString(), authority: last.authority, events: last.size } : null,
    missing: missing ? { day: missing.day, triedAt: missing.triedAt.toISOString(), reason: missing.failure, detail: missing.detail } : null,
  };
}

/** Mounts the audit log under the base path of a realm. */
export function mountAudit(
  app: HttpApp,
  service: AuditService,
  options: { readonly realm: 'production' | 'staging'; readonly noteExport: NoteExport; readonly stamps: Pick<LogStamps, 'state'> },
): void {
  const { realm } = options;
  const scopeOf = (organisation: ResolvedOrganisation) => ({ organisationId: organisation.organisationId, realm });
  mount(
    app,
    contract,
    {
      list: ({ actor, organisation, query }) => service.list(actor, scopeOf(organisation), query),
      export: async ({ actor, organisation, query, request }) => {
        await options.noteExport({ actor, organisation, address: request.address, requestId: request.id });
        const { format, ...filter } = query;
        return {
          fileName: `audit-log.${format}`,
          mediaType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl',
          content: service.export(actor, scopeOf(organisation), filter, format),
        };
      },
      checkpoints: ({ query }) => service.checkpoints(query.limit),
      proof: ({ organisation, params }) => service.proof(scopeOf(organisation), params.sequence),
      consistency: async ({ organisation, query: { from, to } }) => ({
        from,
        to,
        path: await service.consistency(from, to, scopeOf(organisation)),
      }),
      verification: async ({ organisation }) => {
        const last = await service.verification(scopeOf(organisation));
        const timestamps = timestampsView(await options.stamps.state());
        if (!last) return { last: null, timestamps };
        const { ok, events, checkpoints, problems } = last;
        return { last: { at: last.at.toISOString(), ok, events, checkpoints, problems: [...problems] }, timestamps };
      },
      verify: async ({ organisation }) => {
        const { ok, events, checkpoints, problems } = await service.verify(scopeOf(organisation));
        return { ok, events, checkpoints, problems: [...problems] };
      },
    },
    { surface: 'main', realm },
  );
}
