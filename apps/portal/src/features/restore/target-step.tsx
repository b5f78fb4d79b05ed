import { Text } from '@fluentui/react-components';
import { jobs } from '@holdfast/contract/jobs';
import type { Source } from '@holdfast/contract/discovery';
import { collisionPolicies, factsOf, leavesItsPlace, restoreSettings } from '@holdfast/contract/restore';
import type { RestorePlan, RestoreSettings } from '@holdfast/contract/restore';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { FormProvider, useForm, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useRestoreRecipient } from '../../i18n/use-restore-recipient.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CheckField, RadioField } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Facts, Split, Stack } from '../../ui/layout.tsx';
import type { SourcePlace } from '../content/index.ts';
import { PlanCard, usePlan } from './plan-card.tsx';
import { chosenVersion, itemsOf, trayOf } from './selection.ts';
import type { Selection } from './selection.ts';
import { meetsOthers } from './target-draft.ts';
import type { TargetDraft } from './target-draft.ts';
import { TargetFields } from './target-fields.tsx';

export const collisionNames: Readonly<Record<RestoreSettings['collisions'], PhraseKey>> = {
  skip: 'restore.collisionSkip',
  keepBoth: 'restore.collisionKeepBoth',
  replace: 'restore.collisionReplace',
  newerWins: 'restore.collisionNewerWins',
};

export interface TargetStepProps {
  readonly place: SourcePlace;
  readonly source: Source;
  readonly sequence: number | null;
  readonly selection: Selection;
  /** The choice at first. */
  readonly target: TargetDraft['target'];
  /** What the stepper's last button runs. */
  readonly onReady: (run: () => void) => void;
  readonly onStarted: (jobId: string) => void;
}

function targetOf(draft: TargetDraft): unknown {
  switch (draft.target) {
    case 'original':
    case 'rehearsal':
      return { kind: draft.target };
    case 'folder':
      return { kind: 'folder', folder: draft.folder };
    case 'elsewhere': {
      const chosen = draft.elsewhere.at(-1);
      return { kind: 'elsewhere', graphId: chosen?.id ?? '', name: chosen?.name ?? '' };
    }
    case 'download':
      return { kind: 'download', format: draft.format };
  }
}

/** The restore that the entries describe, checked by the contract's schema. */
export function settingsOf(
  draft: TargetDraft,
  given: Pick<TargetStepProps, 'source' | 'sequence' | 'selection'>,
): z.ZodSafeParseResult<RestoreSettings> {
  const { versions, permissions, automaticReplies } = draft;
  const version = chosenVersion(given.selection);
  return restoreSettings.safeParse({
    sourceId: given.source.sourceId,
    sourceName: given.source.name,
    ...(given.sequence === null ? {} : { sequence: given.sequence }),
    items: itemsOf(given.selection),
    ...(version === null ? {} : { fileVersion: version.version }),
    target: targetOf(draft),
    collisions: draft.collisions,
    options: { versions, permissions, automaticReplies },
    reason: draft.reason,
  });
}

/** What was shown is what will be done: the newest restore point is the one that the dry run has looked at. */
function asShown(settings: RestoreSettings, plan: RestorePlan | undefined): RestoreSettings {
  return plan === undefined ? settings : { ...settings, sequence: plan.sequence };
}

/** A name that jobs may have, different for each restore. */
export function restoreName(template: string): string {
  return template
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 100);
}

/** Whereto, what with existing items, what will happen, and the start. */
export function TargetStep(props: TargetStepProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { clock } = usePortal();
  const version = chosenVersion(props.selection);
  const today = new Date(clock.now()).toISOString();
  const form = useForm<TargetDraft>({
    defaultValues: {
      target: props.target,
      folder: text('restore.folderDefault', { date: format.dateTime(today).replaceAll(':', '.').replaceAll(',', '') }),
      elsewhere: [],
      format: props.source.kind === 'mailbox' ? 'eml' : 'zip',
      // Who asks for an earlier version wants it in place of the newest, which stays in the history of the file.
      collisions: version === null ? 'skip' : 'replace',
      versions: true,
      permissions: true,
      automaticReplies: false,
      reason: '',
    },
  });
  const draft = useWatch({ control: form.control }) as TargetDraft;
  const checked = settingsOf(draft, props);
  const settings = checked.success ? checked.data : null;
  const plan = usePlan(props.place, settings);
  const [asked, setAsked] = useState<RestoreSettings | null>(null);
  const { onReady } = props;
  useEffect(() => {
    onReady(() => {
      form.clearErrors();
      // Content that others get to see is not given away without a word of why.
      if (leavesItsPlace(draft.target) && draft.reason.trim() === '')
        return form.setError('reason', { message: 'validation.reason' }, { shouldFocus: true });
      if (checked.success) return setAsked(asShown(checked.data, plan.data));
      for (const issue of checked.error.issues)
        form.setError(fieldOf(issue.path.map(String)), { message: issue.message }, { shouldFocus: true });
      return undefined;
    });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- follows the entries
  }, [draft, plan.data]);
  return (
    <FormProvider {...form}>
      <Split>
        <Stack>
          {version !== null && <VersionNote version={version} />}
          <TargetFields place={props.place} source={props.source} target={draft.target} isVersion={version !== null} />
          {meetsOthers(draft.target) && (
            <RadioField
              name="collisions"
              label={text('restore.collisions')}
              choices={collisionPolicies.map((value) => ({ value, label: text(collisionNames[value]) }))}
            />
          )}
          {props.source.kind === 'mailbox' ? (
            <CheckField name="automaticReplies" label={text('restore.withReplies')} />
          ) : (
            <>
              {version === null && <CheckField name="versions" label={text('restore.withVersions')} />}
              <CheckField name="permissions" label={text('restore.withPermissions')} />
            </>
          )}
          <TextField
            name="reason"
            label={text('restore.reason')}
            hint={text('restore.reasonHint')}
            required={leavesItsPlace(draft.target)}
          />
        </Stack>
        <PlanCard settings={settings} plan={plan} />
      </Split>
      {asked !== null && <StartDialog {...props} settings={asked} onClose={() => setAsked(null)} />}
    </FormProvider>
  );
}

/** Which version comes back. It takes the focus, which the closed preview has left nowhere. */
function VersionNote({ version }: { readonly version: { readonly name: string; readonly version: string } }): ReactElement {
  const text = useText();
  const note = useRef<HTMLSpanElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <Text>
      <span ref={note} tabIndex={-1}>
        {text('restore.versionOnly', version)}
      </span>
    </Text>
  );
}

function fieldOf(path: readonly string[]): keyof TargetDraft {
  if (path.includes('folder')) return 'folder';
  if (path.includes('graphId')) return 'elsewhere';
  return path.includes('reason') ? 'reason' : 'target';
}

interface StartDialogProps extends TargetStepProps {
  readonly settings: RestoreSettings;
  readonly onClose: () => void;
}

function StartDialog({ place, source, selection, settings, onStarted, onClose }: StartDialogProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { clock } = usePortal();
  const start = useChange(jobs.create, { success: 'successes.restoreStarted', failure: 'failures.createJob' });
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ');
  const name = restoreName(text('restore.jobName', { name: source.name.slice(0, 50), date: stamp }));
  const { count } = trayOf(selection, source);
  const target = useRestoreRecipient()(factsOf(settings));
  return (
    <ConfirmDialog
      title={text('confirmations.restoreTitle', { count, items: format.count(count) })}
      text={
        meetsOthers(settings.target.kind)
          ? text('confirmations.restoreText', { target, collision: text(collisionNames[settings.collisions]) })
          : text('confirmations.restorePlainText', { target })
      }
      button={text('confirmations.restoreButton')}
      busy={start.isPending}
      onClose={onClose}
      onConfirm={() =>
        start.mutate(
          {
            params: { tenantId: place.tenantId },
            body: {
              name,
              workload: source.workload,
              type: 'restore',
              schedule: { mode: 'afterCreation' },
              locationId: place.locationId,
              restore: settings,
            },
          },
          { onSuccess: (job) => onStarted(job.jobId), onError: onClose },
        )
      }
    >
      <Facts
        items={[
          [text('restore.source'), source.name],
          [text('restore.recipient'), target],
          ...(settings.reason === '' ? [] : [[text('restore.reason'), settings.reason] as const]),
        ]}
      />
      {text('restore.noInvitations')}
    </ConfirmDialog>
  );
}
