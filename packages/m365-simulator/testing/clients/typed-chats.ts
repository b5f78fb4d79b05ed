import { createGraphServiceClient } from '@microsoft/msgraph-sdk';
// oxlint-disable-next-line import/no-unassigned-import -- the package adds its paths by side effect
import '@microsoft/msgraph-sdk-chats';
// oxlint-disable-next-line import/no-unassigned-import -- as above: the chats of a person
import '@microsoft/msgraph-sdk-users';
import { tell } from './setting.ts';
import { createAdapter, refusalOf } from './typed-adapter.ts';

const graph = createGraphServiceClient(createAdapter());
const chats = await graph.users.byUserId(process.env['USER_ID'] ?? '').chats.get({ queryParameters: { expand: ['members'] } });
const chat = graph.chats.byChatId(chats?.value?.[0]?.id ?? '');
const members = await chat.members.get();
const messages = await chat.messages.get({ queryParameters: { top: 50 } });
const missing = await refusalOf(() => graph.chats.byChatId('19:nobody@thread.v2').messages.get());

tell({
  chats: (chats?.value?.length ?? 0) > 0,
  expanded: (chats?.value?.[0]?.members?.length ?? 0) > 0,
  members: (members?.value?.length ?? 0) > 0,
  messages: (messages?.value?.length ?? 0) > 0,
  isDated: messages?.value?.[0]?.createdDateTime instanceof Date,
  missing: missing !== '',
});
