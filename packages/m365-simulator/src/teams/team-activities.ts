import type { Random } from '@holdfast/foundation/random';
import { openChannel } from '../conversations/channel-conversation.ts';
import { edit, type MessageAct, playConversation, post, react, remove, requireNoMigration } from '../conversations/message-activities.ts';
import { textField } from '../http/body-fields.ts';
import { notFound } from '../http/failure.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Activity } from '../http/workload.ts';
import { allChannels, findChannel, putChannel } from '../places/team-records.ts';

function activity(name: string, act: MessageAct): Activity {
  return {
    name,
    run(tenant, input) {
      const channel = findChannel(tenant, textField(input, 'channel') ?? '');
      if (!channel) throw notFound('teams', 'The change names no channel.');
      requireNoMigration(channel.migration);
      return act(openChannel(tenant, channel), input);
    },
  };
}

const renameChannel: Activity = {
  name: 'teams.renameChannel',
  run(tenant, input) {
    const channel = findChannel(tenant, textField(input, 'channel') ?? '');
    if (!channel) throw notFound('teams', 'The change names no channel.');
    putChannel(tenant, { ...channel, displayName: textField(input, 'name') ?? channel.displayName });
    return { id: channel.id };
  },
};

/** What people do in channels: `{"do":"teams.post","channel":"19:…","by":"…","content":"…"}`. */
export const teamActivities: readonly Activity[] = [
  activity('teams.post', post),
  activity('teams.react', react),
  activity('teams.edit', edit),
  activity('teams.delete', remove),
  renameChannel,
];

/** A day of work in channels. */
export function playTeamsDay(tenant: Tenant, random: Random): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const channel of allChannels(tenant)) {
    if (channel.migration?.mode === 'inProgress') continue;
    for (let round = random.below(5); round > 0; round -= 1) {
      const done = `teams.${playConversation(openChannel(tenant, channel), random)}`;
      counts[done] = (counts[done] ?? 0) + 1;
    }
  }
  return counts;
}
