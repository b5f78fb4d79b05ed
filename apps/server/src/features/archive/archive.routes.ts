import { archive as contract, type ArchivedMailbox } from '@holdfast/contract/archive';
import { legacyArchive } from '@holdfast/contract/legacy/archive';
import type { Realm, Scope } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { csvLine } from '../../http/csv.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { legacyCall } from '../../legacy/legacy-scope.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import type { ArchiveViews } from './archive.views.ts';

const COLUMNS = [
  'name',
  'email',
  'size',
  'storedBytes',
  'messages',
  'attachments',
  'oldestAt',
  'newestAt',
  'lastUsedAt',
  'lastCapturedAt',
  'isHeld',
  'coverage',
  'missing',
  'unmatched',
  'comparedAt',
] as const satisfies readonly (keyof ArchivedMailbox)[];

async function* csvOf(mailboxes: AsyncIterable<ArchivedMailbox>): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(csvLine(COLUMNS));
  for await (const mailbox of mailboxes) yield Buffer.from(csvLine(COLUMNS.map((column) => mailbox[column])));
}

function csvFile(views: ArchiveViews, scope: Scope, tenantId: string) {
  const content = csvOf(views.everyMailbox(scope, tenantId));
  return { fileName: 'archived-mailboxes.csv', mediaType: 'text/csv; charset=utf-8', content };
}

async function detailsOf(views: ArchiveViews, scope: Scope, tenantId: string, mailbox: string) {
  const found = await views.mailbox(scope, tenantId, mailbox);
  if (!found) throw new AppError('not-found');
  return found;
}

/** Mounts the archive under the base path of a realm. */
export function mountArchive(app: HttpApp, views: ArchiveViews, realm: Realm): void {
  mount(
    app,
    contract,
    {
      dashboard: (context) => views.figures(scopeOf(context), context.params.tenantId),
      mailboxes: (context) => views.mailboxes(scopeOf(context), context.params.tenantId, context.query),
      top: async (context) => ({ items: await views.top(scopeOf(context), context.params.tenantId, context.query.by) }),
      csv: (context) => csvFile(views, scopeOf(context), context.params.tenantId),
      mailbox: (context) => detailsOf(views, scopeOf(context), context.params.tenantId, context.params.mailboxId),
    },
    { surface: 'main', realm },
  );
}

/** Mounts the archive under its legacy names. */
export function mountLegacyArchive(app: HttpApp, views: ArchiveViews): void {
  type Paired = Parameters<typeof legacyCall>[0] & { readonly params: { readonly workerIp: string; readonly indexIp: string } };
  async function pairedCall(context: Paired) {
    const call = legacyCall(context);
    if (!(await views.isPair(call.scope, context.params))) throw new AppError('not-found');
    return call;
  }
  mount(
    app,
    legacyArchive,
    {
      statistics(context) {
        const { scope, tenantId } = legacyCall(context);
        return views.figures(scope, tenantId);
      },
      async mailboxes(context) {
        const { scope, tenantId } = await pairedCall(context);
        return views.mailboxes(scope, tenantId, context.query);
      },
      async top(context) {
        const { scope, tenantId } = legacyCall(context);
        return { items: await views.top(scope, tenantId, context.query.by) };
      },
      meta(context) {
        const { scope, tenantId } = legacyCall(context);
        return detailsOf(views, scope, tenantId, context.query.mailbox);
      },
      async csv(context) {
        const { scope, tenantId } = await pairedCall(context);
        return csvFile(views, scope, tenantId);
      },
    },
    { surface: 'legacy', realm: 'production' },
  );
}
