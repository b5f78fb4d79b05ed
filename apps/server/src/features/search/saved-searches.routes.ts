import { savedSearches as contract } from '@holdfast/contract/saved-searches';
import type { Realm } from '@holdfast/database';
import { expectedVersion } from '../../http/etag.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { askingOf, type AskedOfOrganisation } from '../identity/index.ts';
import type { SavedSearchesService, SearchAsking } from './saved-searches.service.ts';

interface Asked extends AskedOfOrganisation {
  readonly params: { readonly tenantId: string };
}

function searchAskingOf(context: Asked): SearchAsking {
  const { params, request } = context;
  return { ...askingOf(context), tenantId: params.tenantId, language: request.language, expectedVersion: expectedVersion(request) };
}

/** Mounts saved searches over one realm. */
export function mountSavedSearches(app: HttpApp, service: SavedSearchesService, realm: Realm): void {
  mount(
    app,
    contract,
    {
      list: (context) => service.list(scopeOf(context), context.params.tenantId),
      create: (context) => service.create(searchAskingOf(context), context.body),
      async get(context) {
        const found = await service.get(scopeOf(context), context.params.tenantId, context.params.searchId);
        context.reply.etag(found.version);
        return found;
      },
      update: (context) => service.update(searchAskingOf(context), context.params.searchId, context.body),
      remove: (context) => service.remove(searchAskingOf(context), context.params.searchId),
      run: (context) =>
        service.run({ ...searchAskingOf(context), reason: context.body.reason }, context.params.searchId, {
          cursor: context.body.cursor,
          limit: context.body.limit,
        }),
      uses: (context) => service.uses(scopeOf(context), context.params.tenantId, context.params.searchId),
      difference: (context) =>
        service.difference({ ...searchAskingOf(context), reason: context.body.reason }, context.params.searchId, context.body.query),
    },
    { surface: 'main', realm },
  );
}
