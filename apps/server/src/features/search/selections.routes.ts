import { selections as contract } from '@holdfast/contract/selections';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { askingOf, type AskedOfOrganisation } from '../identity/index.ts';
import type { SelectionAsking, SelectionsService } from './selections.service.ts';

interface Asked extends AskedOfOrganisation {
  readonly params: { readonly tenantId: string };
}

function selectionAskingOf(context: Asked): SelectionAsking {
  return { ...askingOf(context), tenantId: context.params.tenantId };
}

/** Mounts selections of hits over one realm. */
export function mountSelections(app: HttpApp, service: SelectionsService, realm: Realm): void {
  mount(
    app,
    contract,
    {
      select(context) {
        const { reason, query, hitIds } = context.body;
        const searching = { ...selectionAskingOf(context), reason, language: context.request.language };
        return service.create(searching, { query, hitIds });
      },
      selected: (context) => service.items(selectionAskingOf(context), context.params.selectionId, context.query),
      selectedFiles: (context) => service.files(selectionAskingOf(context), context.params.selectionId, context.signal),
    },
    { surface: 'main', realm },
  );
}
