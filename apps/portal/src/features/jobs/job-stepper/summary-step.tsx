import { Button, Card, Subtitle2, Text } from '@fluentui/react-components';
import { jobs, traitsOf } from '@holdfast/contract/jobs';
import type { JobBody } from '@holdfast/contract/jobs';
import type { ResponseOf } from '@holdfast/contract/route';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useFormContext } from 'react-hook-form';
import { usePortal } from '../../../api/portal-context.ts';
import { read } from '../../../api/queries.ts';
import type { Format } from '../../../i18n/format.ts';
import type { Translate } from '../../../i18n/phrase-key.ts';
import { useFormat, useText } from '../../../i18n/use-text.ts';
import { FailedState } from '../../../ui/empty-state.tsx';
import { Facts, Row, Stack } from '../../../ui/layout.tsx';
import { LoadingShape } from '../../../ui/loading-shape.tsx';
import { ApprovalHint, useLocations } from '../../tenants/index.ts';
import { chosenWords } from '../chosen-words.ts';
import { jobTypeNames } from '../job-words.ts';
import { retentionText } from '../retention-text.ts';
import { scheduleText } from '../schedule-text.ts';
import {
  checkDraft,
  chosenOf,
  excludedOf,
  hasWorkload,
  partsOfJob,
  readsFiles,
  retentionOf,
  stepsOf,
  takesExempt,
  takesFolders,
} from './draft.ts';
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
  const { clock } = usePortal();
  const { body } = checkDraft(draft, clock.now());
  const { data } = useLocations(tenantId);
  const location = data?.items.find((one) => one.locationId === draft.locationId)?.name ?? '–';
  const parts: Readonly<Record<Exclude<StepName, 'summary'>, readonly Said[]>> = {
    job: [
      [text('jobs.name'), draft.name],
      [text('jobs.type'), text(jobTypeNames[draft.type])],
      ...(hasWorkload(draft.type) ? [[text('common.workload'), text(`common.${draft.workload}`)] as const] : []),
    ],
    sources: sourcesInWords(draft, text),
    target: [[text('jobs.location'), location], ...targetInWords(draft, text, format)],
    schedule: [[text('jobs.schedule'), body === null ? '–' : scheduleText(body.schedule, text, format)]],
  };
  return (
    <Stack>
      {stepsOf(draft.type).flatMap((step) =>
        step === 'summary' ? [] : [<Part key={step} items={parts[step]} onEdit={() => onEdit(step)} label={parts[step][0]?.[0] ?? ''} />],
      )}
      {body !== null && traitsOf(body.type).needsApproval && <ApprovalHint tenantId={tenantId} />}
      {body !== null && <Preview tenantId={tenantId} body={body} />}
    </Stack>
  );
}

type Said = readonly [label: string, words: string];

/** Whom the job covers, and what of them. */
function sourcesInWords(draft: Draft, text: Translate): readonly Said[] {
  const { coverage, workload, options, includeFolders, excludeFolders } = draft;
  const excluded = draft.excluded[excludedOf[workload]];
  const listed = (names: readonly string[]): string => names.join(', ');
  const chosen = chosenWords(chosenOf(draft), text);
  const parts = partsOfJob(draft)
    .filter((part) => options[part])
    .map((part) => text(`jobs.${part}`));
  const perFile: readonly Said[] = readsFiles(workload) ? [[text('jobs.fileVersions'), String(options.fileVersions)]] : [];
  const lists: readonly Said[] = [
    [text('jobs.excluded'), listed(excluded.map((one) => one.name || one.address))],
    [text('jobs.exempt'), takesExempt(draft.type) ? listed(draft.exempt.map((one) => one.name || one.address)) : ''],
    [text('jobs.includeFolders'), takesFolders(draft) ? listed(includeFolders) : ''],
    [text('jobs.excludeFolders'), takesFolders(draft) ? listed(excludeFolders) : ''],
  ];
  const kept: readonly Said[] = partsOfJob(draft).length === 0 ? [] : [[text('jobs.options'), listed(parts) || text('jobs.nothing')]];
  const details = draft.type === 'deletion' ? [] : [...kept, ...perFile];
  return [
    [text('jobs.sources'), coverage === 'everyone' ? text('jobs.protectEveryone') : listed(chosen)],
    ...details,
    ...lists.filter(([, words]) => words !== ''),
  ];
}

/** What a kind of job asks for beside its location. */
function targetInWords(draft: Draft, text: Translate, format: Format): readonly Said[] {
  if (draft.type === 'verify') return [[text('jobs.budget'), format.count(draft.budgetPercent)]];
  if (draft.type === 'drill') return [[text('jobs.samples'), format.count(draft.samples)]];
  if (draft.type !== 'deletion') return [];
  return [[text('jobs.retention'), retentionText(retentionOf(draft), text)]];
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

/** What protecting one more of a workload is called. */
const protects = {
  exchange: 'jobs.protectsUsers',
  onedrive: 'jobs.protectsUsers',
  sharepoint: 'jobs.protectsSites',
  teams: 'jobs.protectsTeams',
} as const;

/** Of what nothing is stored yet nobody knows the size. */
const protectsAlone = {
  exchange: 'jobs.protectsUsersAlone',
  onedrive: 'jobs.protectsUsersAlone',
  sharepoint: 'jobs.protectsSitesAlone',
  teams: 'jobs.protectsTeamsAlone',
} as const;

function Preview({ tenantId, body }: { readonly tenantId: string; readonly body: JobBody }): ReactElement {
  const text = useText();
  const format = useFormat();
  const preview = useQuery(read(jobs.preview, { params: { tenantId }, body, quiet: true }));
  if (preview.isPending) return <LoadingShape rows={2} />;
  if (preview.isError) return <FailedState error={preview.error} onRetry={() => void preview.refetch()} />;
  const { pointsToDelete, pointsHeld, heldBy = [], pointsAwaited = 0, awaitedBy = [], runs } = preview.data;
  return (
    <Card>
      {/* A verification covers its location, not resources. */}
      {'source' in body && <Covered body={body} preview={preview.data} />}
      {pointsToDelete !== null && <Text>{text('jobs.pointsToDelete', { count: pointsToDelete })}</Text>}
      {pointsHeld !== null && <Text>{text('jobs.pointsHeld', { count: pointsHeld })}</Text>}
      {heldBy.length > 0 && <Text>{text('jobs.heldBy', { names: heldBy.join(', ') })}</Text>}
      {pointsAwaited > 0 && <Text>{text('jobs.pointsAwaited', { count: pointsAwaited, names: awaitedBy.join(', ') })}</Text>}
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

/** Whom the job protects, and how much that is; what other jobs than backups cover. */
function Covered({ body, preview }: { readonly body: JobBody; readonly preview: ResponseOf<typeof jobs.preview> }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { resources: count, estimatedBytes, alreadyProtected } = preview;
  if (!traitsOf(body.type).protects || !('workload' in body)) return <Text>{text('jobs.covers', { count })}</Text>;
  return (
    <>
      <Text>
        {estimatedBytes === null
          ? text(protectsAlone[body.workload], { count })
          : text(protects[body.workload], { count, bytes: format.bytes(estimatedBytes) })}
      </Text>
      {alreadyProtected > 0 && <Text>{text('jobs.alreadyProtected', { count: alreadyProtected })}</Text>}
    </>
  );
}
