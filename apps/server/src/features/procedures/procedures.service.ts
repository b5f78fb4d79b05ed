import { createHash } from 'node:crypto';
import type { Page } from '@holdfast/contract/paging';
import {
  describedParts,
  procedureParts,
  type ProcedureContent,
  type ProcedureSection,
  type ProcedureVersion,
  type procedures,
} from '@holdfast/contract/procedures';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { once } from '@holdfast/foundation/streams';
import { printPaper } from '@holdfast/paper';
import type { Answer, Download } from '../../http/context.ts';
import type { Language } from '../../http/language.ts';
import { eventsAbout, type AuditInbox } from '../audit/index.ts';
import type { Asking } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { fileNameOf, ownerOfReports, type ReportOwner } from '../period-reports/index.ts';
import { comparedSections, differencesOf, type Difference } from './differences.ts';
import { entriesOf, integrityOf, proofsOf, subjectsOf } from './entries.views.ts';
import { procedurePaper } from './procedure-paper.ts';
import {
  addVersion,
  contentOf,
  listVersions,
  newestVersion,
  readSections,
  readVersion,
  saveSections,
  takeDue,
  versionOf,
  type DueVersion,
  type ProcedureRow,
  type VersionsQuery,
} from './procedures.store.ts';

export interface ProceduresParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: AuditInbox;
  readonly version: string;
  readonly publicUrl: () => string;
  /** Mails that a year has passed, in the transaction that notes it. */
  readonly remind: (tx: Tx, scope: Scope, due: DueVersion) => Promise<void>;
}

export interface ProceduresService {
  list(scope: Scope, tenantId: string, query: VersionsQuery): Promise<Page<ProcedureVersion>>;
  make(asking: Asking, tenantId: string): Promise<ProcedureVersion>;
  get(scope: Scope, place: VersionPlace, language: Language): Promise<Answer<typeof procedures.get>>;
  file(scope: Scope, place: VersionPlace, language: Language): Promise<Download>;
  sections(scope: Scope, tenantId: string): Promise<{ sections: ProcedureSection[] }>;
  saveSections(asking: Asking, tenantId: string, sections: ProcedureSection[]): Promise<{ sections: ProcedureSection[] }>;
  /** Reminds of versions that are a year old. */
  remind(scope: Scope): Promise<void>;
}

export interface VersionPlace {
  readonly tenantId: string;
  readonly number: number;
}

const YEAR_MS = 365 * 86_400_000;

/** Members of every object in the order of their names: a database keeps no order of its own. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, member]) => [name, ordered(member)]));
}

/** SHA-256 of what a version says. */
export function hashOf(content: ProcedureContent): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(content)))
    .digest('hex');
}

/** Events about the tenant that change what a part describes; of other parts all events about an entry do. */
const CHANGING: Partial<Record<Difference['part'], RegExp>> = {
  connection: /^tenants\./,
  settings: /^configuration\.changed$/,
  policies: /^approvals\.approved$/,
  sections: /^procedures\.edited$/,
};
const RECENT = 100;

/** Who changed something last since the version before, as the audit log has it. */
async function told(
  tx: Tx,
  { tenantId, since }: { readonly tenantId: string; readonly since: Date },
  { key, ...difference }: Difference,
): Promise<ProcedureContent['changes'][number]> {
  const { events } = await eventsAbout(tx, await subjectsOf(tx, tenantId, { part: difference.part, key }), { limit: RECENT, offset: 0 });
  const last = events.find(({ event }) => CHANGING[difference.part]?.test(event) ?? true);
  const isKnown = last !== undefined && last.at >= since;
  return { ...difference, actor: isKnown ? last.payload.actor : null, at: isKnown ? last.at.toISOString() : null };
}

async function ownerIn(tx: Tx, tenantId: string): Promise<ReportOwner> {
  const owner = await ownerOfReports(tx, tenantId);
  if (!owner) throw new AppError('not-found');
  return owner;
}

async function describe(
  tx: Tx,
  { tenantId, program, last }: { tenantId: string; program: string; last: ProcedureRow | undefined },
): Promise<ProcedureContent> {
  const { organisation, tenant, timeZone } = await ownerIn(tx, tenantId);
  const entries = [...(await entriesOf(tx, tenantId))];
  const sections = await readSections(tx, tenantId);
  const changes: ProcedureContent['changes'] = [];
  if (last) {
    const before = contentOf(last);
    // A part that the version before did not describe is no change of what is set up.
    const known = describedParts(before);
    const compared = entries.filter(({ part }) => known.includes(part));
    const own = differencesOf(comparedSections(before.sections), comparedSections(sections));
    // What a section said is in the version before: its text would fill the table.
    const differences = [...differencesOf(before.entries, compared), ...own.map((one) => ({ ...one, fields: [] }))];
    for (const difference of differences) changes.push(await told(tx, { tenantId, since: last.made_at }, difference));
  }
  return {
    organisation,
    tenant,
    timeZone,
    program,
    ...(await integrityOf(tx)),
    proofs: await proofsOf(tx, tenantId),
    parts: [...procedureParts],
    entries,
    changes,
    sections,
  };
}

export function createProceduresService(parts: ProceduresParts): ProceduresService {
  const { database, clock, audit } = parts;

  async function found(scope: Scope, { tenantId, number }: VersionPlace): Promise<ProcedureRow> {
    const row = await database.within(scope, (tx) => readVersion(tx, tenantId, number));
    if (!row) throw new AppError('not-found');
    return row;
  }

  return Object.freeze<ProceduresService>({
    list: (scope, tenantId, query) => database.within(scope, (tx) => listVersions(tx, tenantId, query)),
    make: ({ scope, actor, caller }, tenantId) =>
      database.within(scope, async (tx) => {
        const last = await newestVersion(tx, tenantId);
        const content = await describe(tx, { tenantId, program: parts.version, last });
        const hash = hashOf(content);
        const version = { tenant_id: tenantId, number: (last?.number ?? 0) + 1, made_at: now(clock), maker: actor.email, hash };
        await addVersion(tx, { ...version, content });
        await audit.record(tx, {
          event: 'procedures.made',
          actor: actorEntry(actor, caller),
          subject: { kind: 'tenant', id: tenantId, name: content.tenant },
          details: { number: version.number, hash },
        });
        return {
          number: version.number,
          madeAt: version.made_at.toISOString(),
          maker: version.maker,
          changes: content.changes.length,
          hash,
        };
      }),
    async get(scope, place, language) {
      const row = await found(scope, place);
      const [version, content] = [versionOf(row), contentOf(row)];
      return { version, content, paper: procedurePaper(version, content, language) };
    },
    async file(scope, place, language) {
      const row = await found(scope, place);
      const content = contentOf(row);
      const paper = procedurePaper(versionOf(row), content, language);
      const bytes = await printPaper(paper, { madeAt: row.made_at, organisation: content.organisation, publicUrl: parts.publicUrl() });
      const fileName = fileNameOf(paper, row.number, content.tenant);
      return { fileName, mediaType: 'application/pdf', sizeBytes: bytes.byteLength, content: once(bytes) };
    },
    sections: (scope, tenantId) => database.within(scope, async (tx) => ({ sections: await readSections(tx, tenantId) })),
    saveSections: ({ scope, actor, caller }, tenantId, sections) =>
      database.within(scope, async (tx) => {
        const { tenant } = await ownerIn(tx, tenantId);
        await saveSections(tx, tenantId, sections);
        const subject = { kind: 'tenant', id: tenantId, name: tenant };
        await audit.record(tx, {
          event: 'procedures.edited',
          actor: actorEntry(actor, caller),
          subject,
          details: { count: sections.length },
        });
        return { sections };
      }),
    remind: (scope) =>
      database.within(scope, async (tx) => {
        const at = now(clock);
        for (const due of await takeDue(tx, new Date(at.getTime() - YEAR_MS), at)) await parts.remind(tx, scope, due);
      }),
  });
}
