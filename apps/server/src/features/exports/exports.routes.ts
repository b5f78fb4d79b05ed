import { exports as contract } from '@holdfast/contract/exports';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { caseAskingOf } from '../cases/index.ts';
import type { ExportsService } from './exports.service.ts';

/** Mounts exports over one realm. */
export function mountExports(app: HttpApp, service: ExportsService, realm: Realm): void {
  mount(
    app,
    contract,
    {
      list: (context) => service.list(caseAskingOf(context), context.query),
      get: (context) => service.get(caseAskingOf(context), context.params.exportId),
      create: (context) => service.create(caseAskingOf(context), context.body),
      cancel: (context) => service.cancel(caseAskingOf(context), context.params.exportId),
      resume: (context) => service.resume(caseAskingOf(context), context.params.exportId),
      remove: (context) => service.remove(caseAskingOf(context), context.params.exportId),
      part: (context) => service.part(caseAskingOf(context), context.params, context.signal),
    },
    { surface: 'main', realm },
  );
}
