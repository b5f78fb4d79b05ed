import { Text } from '@fluentui/react-components';
import { jobs } from '@holdfast/contract/jobs';
import { collisionPolicies, leavesItsPlace } from '@holdfast/contract/restore';
import type { RecoverySettings, Selection } from '@holdfast/contract/selections';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { useMay, usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { RadioField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { SourcePicker } from '../jobs/index.ts';
import { StartedRestore } from './started-restore.tsx';
import { collisionNames, restoreName } from './target-step.tsx';

/** As many of the people of a selection are named. */
const shownPeople = 5;

const recoveryDraft = z
  .object({
    target: z.enum(['original', 'folder', 'elsewhere']),
    folder: z.string().trim().min(1, { error: 'validation.required' }).max(200),
    elsewhere: z.array(z.object({ id: z.string(), name: z.string(), address: z.string() })),
    collisions: z.enum(collisionPolicies),
    reason: z.string().trim().max(500),
  })
  .refine(({ target, elsewhere }) => target !== 'elsewhere' || elsewhere.length > 0, {
    error: 'validation.usersRequired',
    path: ['elsewhere'],
  })
  .refine(({ target, reason }) => !leavesItsPlace(target) || reason.length >= 3, { error: 'validation.reason', path: ['reason'] });

function targetOf({ target, folder, elsewhere }: z.infer<typeof recoveryDraft>): RecoverySettings['target'] {
  const person = elsewhere.at(-1);
  if (target === 'folder') return { kind: 'folder', folder };
  if (target === 'elsewhere' && person !== undefined) return { kind: 'elsewhere', graphId: person.id, name: person.name, folder };
  return { kind: 'original' };
}

interface RecoveryFormProps {
  readonly tenantId: string;
  readonly selection: Selection;
  /** The location whose directory names the people that can be chosen. */
  readonly locationId: string;
  /** Of the search. */
  readonly reason: string;
  /** The folder that was looked at in an archive: what was ever in it comes back into it. */
  readonly archivedFolder?: string;
  readonly onClose: () => void;
}

/** Puts a selection back: whereto, and what happens to what is there already; then shows the run. */
export function RecoveryForm({ tenantId, selection, locationId, reason, archivedFolder, onClose }: RecoveryFormProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { clock } = usePortal();
  const [jobId, setJobId] = useState<string | null>(null);
  const start = useChange(jobs.create, { success: 'successes.restoreStarted', failure: 'failures.createJob' });
  const date = format.dateTime(new Date(clock.now()).toISOString()).replaceAll(':', '.').replaceAll(',', '');
  const form = useSchemaForm(recoveryDraft, {
    target: 'original',
    folder: text('restore.folderDefault', { date }),
    elsewhere: [],
    collisions: 'skip',
    reason,
  });
  const target = useWatch({ control: form.control, name: 'target' });
  const title = text('search.selection.title', { count: selection.items, items: format.count(selection.items) });
  const people = usePeople(selection);
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ');
  if (jobId !== null) {
    return (
      <DetailDrawer title={title} onClose={onClose}>
        <StartedRestore tenantId={tenantId} jobId={jobId} />
      </DetailDrawer>
    );
  }
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(draft) => {
          const { collisions, reason: why } = draft;
          const place = archivedFolder === undefined ? {} : { archivedFolder };
          const recovery = { selectionId: selection.selectionId, target: targetOf(draft), collisions, reason: why, ...place };
          const name = restoreName(text('search.selection.jobName', { date: stamp }));
          start.mutate(
            { params: { tenantId }, body: { type: 'recovery', name, schedule: { mode: 'afterCreation' }, recovery } },
            {
              onSuccess: (job) => setJobId(job.jobId),
              onError: showFaultsIn(form),
            },
          );
        }}
      >
        <Text>{people}</Text>
        <TargetFields tenantId={tenantId} locationId={locationId} target={target} />
        <RadioField
          name="collisions"
          label={text('restore.collisions')}
          choices={collisionPolicies.map((value) => ({ value, label: text(collisionNames[value]) }))}
        />
        <TextField name="reason" label={text('restore.reason')} hint={text('restore.reasonHint')} required={leavesItsPlace(target)} />
        <FormButtons isBusy={start.isPending} submit={text('search.restore')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}

/** Whose items are restored, those with the most first. */
function usePeople({ items, bytes, resources }: Selection): string {
  const text = useText();
  const format = useFormat();
  const names = resources.slice(0, shownPeople).map(({ name }) => name);
  const others = resources.length - names.length;
  const all = others > 0 ? text('search.selection.andOthers', { names: names.join(', '), count: others }) : names.join(', ');
  return text('search.selection.people', { count: items, items: format.count(items), bytes: format.bytes(bytes), names: all });
}

interface TargetFieldsProps {
  readonly tenantId: string;
  readonly locationId: string;
  readonly target: 'original' | 'folder' | 'elsewhere';
}

function TargetFields({ tenantId, locationId, target }: TargetFieldsProps): ReactElement {
  const text = useText();
  const mayElsewhere = useMay('restore.elsewhere');
  const elsewhere = { value: 'elsewhere', label: text('search.selection.elsewhere'), hint: text('search.selection.elsewhereHint') };
  return (
    <>
      <RadioField
        name="target"
        label={text('restore.target')}
        choices={[
          { value: 'original', label: text('search.selection.original'), hint: text('search.selection.originalHint') },
          { value: 'folder', label: text('search.selection.folder') },
          ...(mayElsewhere ? [elsewhere] : []),
        ]}
      />
      {target !== 'original' && <TextField name="folder" label={text('restore.folderName')} required />}
      {target === 'elsewhere' && (
        <SourcePicker
          name="elsewhere"
          kind="users"
          tenantId={tenantId}
          locationId={locationId}
          label={text('restore.chooseTarget')}
          isSingle
          isTarget
        />
      )}
    </>
  );
}
