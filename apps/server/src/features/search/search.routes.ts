import { search as contract } from '@holdfast/contract/search';
import type { Realm } from '@holdfast/database';
import type { Context } from '../../http/context.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { askingOf } from '../identity/index.ts';
import type { PassagesService } from './passages.service.ts';
import type { Searching, SearchService } from './search.service.ts';

function searchingOf(context: Context<(typeof contract)['search' | 'count' | 'facets' | 'passages' | 'words']>): Searching {
  const { params, body, request } = context;
  return { ...askingOf(context), tenantId: params.tenantId, reason: body.reason, language: request.language };
}

/** Mounts the search over everything that is kept, over one realm. */
export function mountSearch(
  app: HttpApp,
  { service, passages }: { readonly service: SearchService; readonly passages: PassagesService },
  realm: Realm,
): void {
  mount(
    app,
    contract,
    {
      search: (context) => service.search(searchingOf(context), context.body),
      count: (context) => service.count(searchingOf(context), context.body.query),
      facets: (context) => service.facets(searchingOf(context), context.body.query),
      passages: (context) => passages.of(searchingOf(context), context.body),
      words: (context) => service.words(searchingOf(context), context.body),
      check: (context) => service.check(context.body.query, context.request.language),
    },
    { surface: 'main', realm },
  );
}
