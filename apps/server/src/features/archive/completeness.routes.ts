import { archiveCompleteness as contract } from '@holdfast/contract/archive-completeness';
import type { Page } from '@holdfast/contract/paging';
import type { Database, Realm, Scope, Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { findArchivedMailbox } from './archived-mailboxes.views.ts';
import type { Completeness } from './completeness.service.ts';
import { archivedDays, missingMessages } from './completeness.views.ts';

interface Parts {
  readonly database: Database;
  readonly completeness: Completeness;
}

interface Named {
  readonly tenantId: string;
  readonly mailboxId: string;
}

async function mailboxOf(tx: Tx, { tenantId, mailboxId }: Named) {
  const found = await findArchivedMailbox(tx, tenantId, mailboxId);
  if (!found) throw new AppError('not-found');
  return found;
}

/** Mounts the comparison of archives with their backups under the base path of a realm. */
export function mountCompleteness(app: HttpApp, { database, completeness }: Parts, realm: Realm): void {
  /** A page about the archive of a mailbox; empty while nothing was archived. */
  const pageOf = <Item>(scope: Scope, named: Named, read: (tx: Tx, sourceId: string) => Promise<Page<Item>>): Promise<Page<Item>> =>
    database.within(scope, async (tx) => {
      const { sourceId } = await mailboxOf(tx, named);
      return sourceId === null ? { items: [], nextCursor: null, total: 0 } : read(tx, sourceId);
    });
  mount(
    app,
    contract,
    {
      days: (context) => pageOf(scopeOf(context), context.params, (tx, sourceId) => archivedDays(tx, sourceId, context.query)),
      missing: (context) => pageOf(scopeOf(context), context.params, (tx, sourceId) => missingMessages(tx, sourceId, context.query)),
      async compare(context) {
        const scope = scopeOf(context);
        const { tenantId, mailboxId } = context.params;
        await database.within(scope, (tx) => mailboxOf(tx, context.params));
        await completeness.compareMailbox(scope, tenantId, mailboxId);
        const { missing, comparedAt } = await database.within(scope, (tx) => mailboxOf(tx, context.params));
        return { missing, comparedAt };
      },
    },
    { surface: 'main', realm },
  );
}
