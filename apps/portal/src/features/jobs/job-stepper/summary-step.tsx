import { Button, Card, Subtitle2, Text } from '@fluentui/react-components';
import { jobs } from '@holdfast/contract/jobs';
import type { JobBody } from '@holdfast/contract/jobs';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useFormContext } from 'react-hook-form';
import { read } from '../../../api/queries.ts';
import { useFormat, useText } from '../../../i18n/use-text.ts';
import { FailedState } from '../../../ui/empty-state.tsx';
import { Facts, Row, Stack } from '../../../ui/layout.tsx';
import { LoadingShape } from '../../../ui/loading-shape.tsx';
import { ApprovalHint, useLocations } from '../../tenants/index.ts';
import { jobTypeNames } from '../job-words.ts';
import { scheduleText } from '../schedule-text.ts';
import { checkDraft, stepsOf } from './draft.ts';
import type { Draft, StepName } from './draft.ts';

export interface SummaryStepProps {
  readonly tenantId: string;
  readonly onEdit: (step: StepName) => void;
}

/** Every choice once more, what it will cover, and when it will run next. */
export function SummaryStep({ tenantId, onEdit }: SummaryStepProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { getValues } = useFormContext<Draft>();
  const draft = getValues();
  const { body } = checkDraft(draft);
  const { data } = useLocations(tenantId);
  const location = data?.items.find((one) => one.locationId === draft.locationId)?.name ?? '–';
  const names = [...draft.users, ...draft.groups, ...draft.sites, ...draft.teams].map((one) => one.name);
  const parts: Readonly<Record<Exclude<StepName, 'summary'>, readonly (readonly [string, string])[]>> = {
    job: [
      [text('jobs.name'), draft.name],
      [text('jobs.type'), text(jobTypeNames[draft.type])],
      [text('common.workload'), text(`common.${draft.workload}`)],
    ],
    sources: [[text('jobs.sources'), draft.coverage === 'everyone' ? text('jobs.protectEveryone') : names.join(', ')]],
    target: [[text('jobs.location'), location]],
    schedule: [[text('jobs.schedule'), body === null ? '–' : scheduleText(body.schedule, text, format)]],
  };
  return (
    <Stack>
      {stepsOf(draft.type).flatMap((step) =>
        step === 'summary' ? [] : [<Part key={step} items={parts[step]} onEdit={() => onEdit(step)} label={parts[step][0]?.[0] ?? ''} />],
      )}
      {body?.type === 'deletion' && <ApprovalHint tenantId={tenantId} />}
      {body !== null && <Preview tenantId={tenantId} body={body} />}
    </Stack>
  );
}

interface PartProps {
  readonly items: readonly (readonly [string, string])[];
  readonly label: string;
  readonly onEdit: () => void;
}

function Part({ items, label, onEdit }: PartProps): ReactElement {
  const text = useText();
  return (
    <Card>
      <Row spread>
        <Facts items={items} />
        <Button size="small" aria-label={`${text('common.edit')}: ${label}`} onClick={onEdit}>
          {text('common.edit')}
        </Button>
      </Row>
    </Card>
  );
}

function Preview({ tenantId, body }: { readonly tenantId: string; readonly body: JobBody }): ReactElement {
  const text = useText();
  const format = useFormat();
  const preview = useQuery(read(jobs.preview, { params: { tenantId }, body, quiet: true }));
  if (preview.isPending) return <LoadingShape rows={2} />;
  if (preview.isError) return <FailedState error={preview.error} onRetry={() => void preview.refetch()} />;
  const { resources, estimatedBytes, alreadyProtected, pointsToDelete, pointsHeld, runs } = preview.data;
  return (
    <Card>
      <Text>{text('jobs.protects', { count: resources, bytes: format.bytes(estimatedBytes) })}</Text>
      {alreadyProtected > 0 && <Text>{text('jobs.alreadyProtected', { count: alreadyProtected })}</Text>}
      {pointsToDelete !== null && <Text>{text('jobs.pointsToDelete', { count: pointsToDelete })}</Text>}
      {pointsHeld !== null && <Text>{text('jobs.pointsHeld', { count: pointsHeld })}</Text>}
      <Subtitle2 as="h2">{text('jobs.nextRuns')}</Subtitle2>
      {runs.length === 0 ? (
        <Text>{text('jobs.noNextRun')}</Text>
      ) : (
        <ul style={{ margin: 0 }}>
          {runs.slice(0, 3).map((run) => (
            <li key={run}>{format.dateTime(run)}</li>
          ))}
        </ul>
      )}
    </Card>
  );
}
