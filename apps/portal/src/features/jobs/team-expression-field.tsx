import { Text } from '@fluentui/react-components';
import { discovery } from '@holdfast/contract/discovery';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { hasStatus } from '../../api/api-error.ts';
import { messageOf } from '../../api/failures.ts';
import { usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Stack } from '../../ui/layout.tsx';

/** An expression is tried when the reader pauses. */
const pauseMs = 300;
/** More names than this say nothing that the count does not. */
const shownNames = 20;

interface Place {
  readonly tenantId: string;
  readonly locationId: string;
}

/** Teams by an expression for their names, with those that have one now. */
export function TeamExpressionField(place: Place): ReactElement {
  const text = useText();
  const { clock } = usePortal();
  const { clearErrors } = useFormContext();
  const typed = String(useWatch({ name: 'teamExpression' }) ?? '').trim();
  const [expression, setExpression] = useState(typed);
  useEffect(
    () =>
      clock.after(pauseMs, () => {
        setExpression(typed);
        // Nothing was chosen under another tab: something is now.
        if (typed !== '') clearErrors();
      }),
    [clearErrors, clock, typed],
  );
  return (
    <Stack>
      <TextField name="teamExpression" label={text('jobs.teamExpression')} hint={text('jobs.teamExpressionHint')} />
      {expression !== '' && <Matching {...place} expression={expression} />}
    </Stack>
  );
}

function Matching({ expression, ...params }: Place & { readonly expression: string }): ReactElement | null {
  const text = useText();
  const { i18n } = useTranslation();
  const found = useQuery(read(discovery.teams, { params, query: { expression, limit: shownNames }, quiet: true }));
  if (found.isError && hasStatus(found.error, 400)) return <Text role="alert">{messageOf(found.error, text, i18n.language)}</Text>;
  if (found.isError) return <FailedState error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return null;
  const names = found.data.items.map(({ name }) => name);
  const { total } = found.data;
  const more = total > names.length ? ' …' : '';
  return (
    <Text role="status">
      {names.length === 0 ? text('jobs.noMatchingTeam') : text('jobs.matchingTeams', { count: total, names: `${names.join(', ')}${more}` })}
    </Text>
  );
}
