import { auditorAccesses } from '@holdfast/contract/auditor-access';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { caseAskingOf } from '../cases/index.ts';
import type { AuditorAccessService } from './auditor-access.service.ts';

/** Mounts what auditors may read over one realm. */
export function mountAuditorAccess(app: HttpApp, service: AuditorAccessService, realm: Realm): void {
  mount(
    app,
    auditorAccesses,
    {
      list: (context) => service.list(caseAskingOf(context), context.query),
      mine: (context) => service.mine(caseAskingOf(context)),
      grant: (context) => service.grant(caseAskingOf(context), context.body),
      end: (context) => service.end(caseAskingOf(context), context.params.accessId),
      items: (context) => service.items(caseAskingOf(context), context.params.accessId, context.body),
      csv: async (context) => ({
        fileName: 'audit-list.csv',
        mediaType: 'text/csv; charset=utf-8',
        content: await service.csv(caseAskingOf(context), context.params.accessId, context.query),
      }),
      log: (context) => service.log(caseAskingOf(context), context.params.accessId, context.query),
    },
    { surface: 'main', realm },
  );
}
