import { undo as contract } from '@holdfast/contract/undo';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { askingOf } from '../identity/index.ts';
import type { UndoService } from './undo.service.ts';

/** Mounts the undoing of restores over one realm. */
export function mountUndo(app: HttpApp, service: UndoService, realm: Realm): void {
  mount(
    app,
    contract,
    {
      plan: (context) => service.plan(askingOf(context), context.params),
      start: async (context) => ({ reportId: await service.start(askingOf(context), context.params, context.body.reason) }),
    },
    { surface: 'main', realm },
  );
}
