import { Checkbox, Text } from '@fluentui/react-components';
import { discovery } from '@holdfast/contract/discovery';
import type { ChannelReference, SourceReference } from '@holdfast/contract/jobs';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { faultText } from '../../ui/form.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Chosen, SourcePicker } from './source-picker.tsx';

interface Place {
  readonly tenantId: string;
  readonly locationId: string;
}

/** Single channels: a team first, then those of it that the job takes. Chosen ones of other teams stay. */
export function ChannelPicker(place: Place): ReactElement {
  const text = useText();
  const { clearErrors } = useFormContext();
  const { field, fieldState } = useController({ name: 'channels' });
  const chosen = Array.isArray(field.value) ? (field.value as ChannelReference[]) : [];
  const looked: unknown = useWatch({ name: 'channelTeam' });
  const [team] = Array.isArray(looked) ? (looked as SourceReference[]) : [];
  const change = (next: readonly ChannelReference[]): void => {
    field.onChange(next);
    clearErrors();
  };
  const fault = faultText(fieldState.error?.message, text);
  return (
    <Stack>
      <Chosen
        chosen={chosen.map(({ id, name, teamName }) => ({ id, name: text('jobs.channelOf', { name, team: teamName }) }))}
        label={text('jobs.channels')}
        onRemove={(id) => change(chosen.filter((one) => one.id !== id))}
      />
      {fault !== undefined && <Text role="alert">{fault}</Text>}
      <SourcePicker
        name="channelTeam"
        kind="teams"
        {...place}
        workload="teams"
        label={text('jobs.team')}
        hint={text('jobs.channelsHint')}
        isSingle
      />
      {team !== undefined && <ChannelsOf {...place} team={team} chosen={chosen} onChange={change} />}
    </Stack>
  );
}

interface ChannelsOfProps extends Place {
  readonly team: SourceReference;
  readonly chosen: readonly ChannelReference[];
  readonly onChange: (next: readonly ChannelReference[]) => void;
}

function ChannelsOf({ tenantId, locationId, team, chosen, onChange }: ChannelsOfProps): ReactElement {
  const text = useText();
  const channels = useQuery(read(discovery.channels, { params: { tenantId, locationId, teamId: team.id }, quiet: true }));
  if (channels.isPending) return <LoadingShape rows={3} />;
  if (channels.isError)
    return <FailedState error={channels.error} title={text('failures.channels')} onRetry={() => void channels.refetch()} />;
  const label = text('jobs.channelsOf', { name: team.name });
  const ids = new Set(chosen.map(({ id }) => id));
  const reference = { address: team.address, teamId: team.id, teamName: team.name };
  return (
    <Stack>
      <Text weight="semibold">{label}</Text>
      <div role="group" aria-label={label}>
        {channels.data.items.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={ids.has(id)}
            onChange={() => onChange(ids.has(id) ? chosen.filter((one) => one.id !== id) : [...chosen, { id, name, ...reference }])}
          />
        ))}
      </div>
    </Stack>
  );
}
