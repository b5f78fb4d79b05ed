import { dataRequests as contract } from '@holdfast/contract/data-requests';
import type { DataRequest } from '@holdfast/contract/data-requests';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { askingOf, type AskedOfOrganisation } from '../identity/index.ts';
import type { DataRequestsService, RequestAsking } from './data-requests.service.ts';
import { registerFile } from './register-file.ts';

const PAGE = 200;

/** The whole register, the oldest request first. */
async function* pagesOf(requests: DataRequestsService, asking: RequestAsking): AsyncGenerator<readonly DataRequest[], void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await requests.list(asking, { limit: PAGE, sort: 'receivedOn', ...(cursor === undefined ? {} : { cursor }) });
    yield page.items;
    cursor = page.nextCursor;
  }
}

/** Mounts requests of people about their own data over one realm. */
export function mountDataRequests(app: HttpApp, requests: DataRequestsService, realm: Realm): void {
  const asked = (context: AskedOfOrganisation & { readonly params: { readonly tenantId: string } }): RequestAsking => ({
    ...askingOf(context),
    tenantId: context.params.tenantId,
  });
  mount(
    app,
    contract,
    {
      list: (context) => requests.list(asked(context), context.query),
      register: (context) => ({
        fileName: 'data-requests.csv',
        mediaType: 'text/csv; charset=utf-8',
        content: registerFile(pagesOf(requests, asked(context))),
      }),
      get: (context) => requests.get(asked(context), context.params.requestId),
      create: (context) => requests.create(asked(context), context.body),
      collect: (context) => requests.collect(asked(context), context.params.requestId),
      extend: (context) => requests.extend(asked(context), context.params.requestId, context.body.reason),
      items: (context) => requests.items(asked(context), context.params.requestId, context.query),
      leaveOut: (context) => requests.leaveOut(asked(context), context.params.requestId, context.body.positions, context.body.reason),
      putBack: (context) => requests.putBack(asked(context), context.params.requestId, context.body.positions),
      answer: (context) => requests.answer(asked(context), context.params.requestId, context.body),
    },
    { surface: 'main', realm },
  );
}
