import { holdNoticeLinks, holdNotices } from '@holdfast/contract/hold-notices';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { askingOf, callerOf } from '../identity/index.ts';
import type { HoldNoticesService } from './hold-notices.service.ts';
import type { NoticeLinksService } from './notice-links.service.ts';

export interface HoldNoticeServices {
  readonly notices: HoldNoticesService;
  readonly links: NoticeLinksService;
}

/** Mounts notices of legal holds over one realm: whoever sends them by right, whoever got one by the link alone. */
export function mountHoldNotices(app: HttpApp, { notices, links }: HoldNoticeServices, realm: Realm): void {
  mount(
    app,
    holdNotices,
    {
      list: (context) => notices.list(askingOf(context), context.params),
      send: (context) => notices.send(askingOf(context), context.params, context.body),
    },
    { surface: 'main', realm },
  );
  mount(
    app,
    holdNoticeLinks,
    {
      look: ({ body }) => links.look(body.code, realm),
      acknowledge: ({ body, request }) => links.acknowledge(body.code, realm, callerOf(request)),
    },
    { surface: 'main', realm },
  );
}
