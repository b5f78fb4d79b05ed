import { mayDo } from '@holdfast/contract/actions';
import { documents as contract } from '@holdfast/contract/documents';
import type { Database, Realm } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { Clock } from '@holdfast/foundation/clock';
import { membershipIn } from '../../access/actor.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { askingOf, type AskedOfOrganisation, type Asking } from '../identity/index.ts';
import { actorEntry, readOrganisation } from '../organisations/index.ts';
import type { DocumentsService } from './documents.service.ts';
import { documentFileName } from './file-name.ts';
import { checkPdf } from './pdf-checker.ts';
import { readUpload, type ReceivedUpload } from './read-upload.ts';
import type { VirusScan } from './virus-scan.ts';

export interface DocumentsRoutesParts {
  readonly service: DocumentsService;
  readonly database: Database;
  readonly clock: Clock;
  readonly allowsActive: boolean;
  /** Undefined where nobody has set up a scanner. */
  readonly scan: VirusScan | undefined;
}

/** The request as one of the organisation that its body names: the abbreviation decides, not the customer chosen last. */
async function askingAs({ database, clock }: DocumentsRoutesParts, context: AskedOfOrganisation, abbr: string): Promise<Asking> {
  const asking = askingOf(context);
  for (const { organisationId } of asking.actor.memberships) {
    const membership = membershipIn(asking.actor, organisationId, clock.nowMs());
    const scope = { organisationId, realm: context.realm };
    if (!membership || (await database.within(scope, readOrganisation))?.abbr !== abbr) continue;
    if (!mayDo(membership.role, 'documents.manage')) throw new AppError('access-denied');
    return { ...asking, scope };
  }
  throw new AppError('not-found');
}

/** Refuses what is no PDF file before anything is stored. */
async function checked({ clock, allowsActive, scan }: DocumentsRoutesParts, { fileName, bytes }: ReceivedUpload): Promise<string> {
  const name = documentFileName(fileName);
  if (bytes.byteLength === 0) throw new AppError('documents.file-required', { details: { field: 'file' } });
  const problem = await checkPdf(clock, { bytes, allowsActive });
  if (problem !== undefined) throw new AppError(`documents.${problem}`, { details: { field: 'file' } });
  await scan?.(bytes);
  return name;
}

/** Mounts reports and documents: under /api, and for the staging realm under /apollo-beta. */
export function mountDocuments(app: HttpApp, parts: DocumentsRoutesParts, realm: Realm): void {
  const { service } = parts;
  mount(
    app,
    contract,
    {
      reports: (context) => service.list(scopeOf(context), 'report', context.query),
      documents: (context) => service.list(scopeOf(context), 'document', context.query),
      async upload(context) {
        const received = await readUpload(context.upload());
        const { actor, scope, caller } = await askingAs(parts, context, received.abbr);
        const fileName = await checked(parts, received);
        const author = { scope, accountId: actor.accountId, name: actor.email, entry: actorEntry(actor, caller) };
        return service.add(author, { fileName, documentType: received.documentType, bytes: received.bytes });
      },
      download: (context) => service.open(askingOf(context), context.params),
      page: (context) => service.page(askingOf(context), context.params),
      async remove(context) {
        await service.remove(await askingAs(parts, context, context.body.abbr), context.body);
      },
    },
    { surface: 'legacy', realm },
  );
}
