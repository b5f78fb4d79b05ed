import { jobs } from '@holdfast/contract/jobs';
import type { Job, JobBody } from '@holdfast/contract/jobs';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { FormProvider, useForm, useWatch } from 'react-hook-form';
import type { FieldPath, UseFormReturn } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { read, useChange, useUpdate } from '../../../api/queries.ts';
import { createKept } from '../../../api/storage.ts';
import type { PhraseKey } from '../../../i18n/phrase-key.ts';
import { useFormat, useText } from '../../../i18n/use-text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { FailedState } from '../../../ui/empty-state.tsx';
import { LoadingShape } from '../../../ui/loading-shape.tsx';
import { useTimeZone } from '../../tenants/index.ts';
import { Page } from '../../../ui/page.tsx';
import { Stepper } from '../../../ui/stepper.tsx';
import { UnsavedEntries } from '../../../ui/unsaved-entries.tsx';
import { usePortal } from '../../../api/portal-context.ts';
import { ApiError } from '../../../api/api-error.ts';
import type { JobArea } from '../job-area.ts';
import { useWantedJob } from '../wanted-job.ts';
import { checkDraft, draftOf, draftResolver, draftSchema, emptyDraft, fieldOf, stepFields, stepsOf } from './draft.ts';
import type { Draft, DraftFault, StepName } from './draft.ts';
import { JobStep } from './job-step.tsx';
import { ScheduleStep } from './schedule-step.tsx';
import { SourcesStep } from './sources-step.tsx';
import { SummaryStep } from './summary-step.tsx';
import { TargetStep } from './target-step.tsx';

const stepNames: Readonly<Record<StepName, PhraseKey>> = {
  job: 'jobs.stepJob',
  sources: 'jobs.stepSources',
  target: 'jobs.stepTarget',
  schedule: 'jobs.stepSchedule',
  summary: 'jobs.stepSummary',
};

export interface JobStepperProps {
  readonly tenantId: string;
  readonly area: JobArea;
  /** The job to change; null for a new one. */
  readonly jobId: string | null;
  readonly listTitle: string;
}

/** Creation or change of a job, step by step. */
export function JobStepper(props: JobStepperProps): ReactElement {
  const { tenantId, jobId } = props;
  const timeZone = useTimeZone();
  if (timeZone === undefined) return <LoadingShape rows={6} />;
  if (jobId === null) return <Steps {...props} job={null} timeZone={timeZone} />;
  return <Existing {...props} {...{ tenantId, jobId, timeZone }} />;
}

function Existing(props: JobStepperProps & { readonly jobId: string; readonly timeZone: string }): ReactElement {
  const { tenantId, jobId } = props;
  const job = useQuery({ ...read(jobs.get, { params: { tenantId, jobId }, quiet: true }), staleTime: Infinity });
  if (job.isError) return <FailedState error={job.error} onRetry={() => void job.refetch()} />;
  return job.data === undefined ? <LoadingShape rows={6} /> : <Steps {...props} job={job.data} />;
}

interface KeptDraft {
  readonly form: UseFormReturn<Draft>;
  /** There is something that leaving would lose. */
  readonly isChanged: boolean;
  readonly forget: () => void;
}

/** The entries, kept in the tab until they are saved or given up. */
function useDraft(area: JobArea, job: Job | null, timeZone: string): KeptDraft {
  const { clock } = usePortal();
  const kept = useMemo(
    () => createKept(sessionStorage, `holdfast.draft.${job?.jobId ?? area.tableId}`, draftSchema),
    [area.tableId, job?.jobId],
  );
  const wanted = useWantedJob();
  const [restored] = useState(() => (wanted === null ? kept.read() : null));
  const form = useForm<Draft>({
    defaultValues: useMemo(() => {
      const fresh = emptyDraft({ type: area.types[0], workload: area.workload ?? 'exchange', timeZone, ...wanted });
      return restored ?? (job === null ? fresh : draftOf(job, timeZone));
    }, [area.types, area.workload, job, restored, timeZone, wanted]),
    resolver: useMemo(() => draftResolver(() => clock.now()), [clock]),
    mode: 'onTouched',
  });
  const { getFieldState, subscribe, trigger } = form;
  // A fault goes while its field is mended: were it to go when the field is left, Next would move away from under the pointer.
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ name }) => {
          if (name !== undefined && getFieldState(name as FieldPath<Draft>).error) void trigger(name as FieldPath<Draft>);
        },
      }),
    [getFieldState, subscribe, trigger],
  );
  const values = useWatch({ control: form.control });
  const { isDirty } = form.formState;
  useEffect(() => {
    if (isDirty) kept.write(values as Draft);
  }, [isDirty, kept, values]);
  return { form, isChanged: isDirty || restored !== null, forget: () => kept.write(null) };
}

type StepsProps = JobStepperProps & { readonly job: Job | null; readonly timeZone: string };

/** Where the reader is, and the way to a fault that is in another step. */
function useSteps(form: UseFormReturn<Draft>) {
  const type = useWatch({ control: form.control, name: 'type' });
  const steps = stepsOf(type);
  const [current, setCurrent] = useState(0);
  const [faults, setFaults] = useState<readonly DraftFault[]>([]);
  // The fields of a step are there only after it has been drawn.
  useEffect(() => {
    for (const [at, { field, message }] of faults.entries()) form.setError(field, { type: 'found', message }, { shouldFocus: at === 0 });
  }, [faults, form]);
  /** Leads to the step of the first fault. */
  const show = (found: readonly DraftFault[]): void => {
    if (found.length === 0) return;
    const fields: Readonly<Record<StepName, readonly string[]>> = stepFields;
    const at = steps.findIndex((name) => fields[name].includes(found[0]?.field ?? ''));
    setCurrent(Math.max(0, at));
    setFaults(found);
  };
  return { steps, step: steps[current] ?? 'summary', current, setCurrent, show };
}

function Steps({ tenantId, area, job, listTitle, timeZone }: StepsProps): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const { clock } = usePortal();
  const { form, isChanged, forget } = useDraft(area, job, timeZone);
  // Events bring newer states of the job; the entries belong to the one that the form began with.
  const [seen] = useState(job);
  const [asked, setAsked] = useState<JobBody | null>(null);
  const [saved, setSaved] = useState(false);
  const { steps, step, current, setCurrent, show } = useSteps(form);
  const finish = useFinish({ tenantId, job: seen, onSaved: () => setSaved(true), onRefused: (error) => show(refusedFields(error)) });
  useEffect(() => {
    if (!saved) return;
    forget();
    void navigate(area.base);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- leaves once, when the job is saved
  }, [saved]);
  const handleFinish = (): void => {
    const { body, faults } = checkDraft(form.getValues(), clock.now());
    if (body === null) show(faults);
    else if (job === null) finish.save(body);
    else setAsked(body);
  };
  const handleNext = async (): Promise<void> => {
    if (step === 'summary') handleFinish();
    else if (await form.trigger(stepFields[step], { shouldFocus: true })) setCurrent(current + 1);
  };
  return (
    <Page
      title={job === null ? text('jobs.newJob') : text('jobs.editTitle', { name: job.name })}
      crumbs={[{ label: listTitle, to: area.base }]}
    >
      <FormProvider {...form}>
        <Stepper
          steps={steps.map((name) => text(stepNames[name]))}
          current={current}
          onBack={() => setCurrent(current - 1)}
          onNext={() => void handleNext()}
          finish={text(job === null ? 'jobs.create' : 'common.save')}
          busy={finish.isPending}
          onCancel={() => void navigate(area.base)}
        >
          <StepContent
            step={step}
            tenantId={tenantId}
            area={area}
            isNew={job === null}
            onEdit={(name) => setCurrent(steps.indexOf(name))}
          />
        </Stepper>
      </FormProvider>
      <UnsavedEntries when={isChanged && !saved} onDiscard={forget} />
      {asked !== null && job !== null && (
        <UpdateDialog
          job={job}
          onClose={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            finish.save(asked);
          }}
        />
      )}
    </Page>
  );
}

interface UpdateDialogProps {
  readonly job: Job;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before a job is changed, and says from when it is another one. */
function UpdateDialog({ job, onConfirm, onClose }: UpdateDialogProps): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <ConfirmDialog
      title={text('confirmations.updateTitle', { name: job.name })}
      text={
        job.nextRun === null
          ? text('confirmations.updateTextAlone')
          : text('confirmations.updateText', { date: format.dateTime(job.nextRun) })
      }
      button={text('confirmations.updateButton')}
      onClose={onClose}
      onConfirm={onConfirm}
    />
  );
}

interface FinishParts {
  readonly tenantId: string;
  readonly job: Job | null;
  readonly onSaved: () => void;
  readonly onRefused: (error: Error) => void;
}

function useFinish({ tenantId, job, onSaved, onRefused }: FinishParts): {
  readonly save: (body: JobBody) => void;
  readonly isPending: boolean;
} {
  const create = useChange(jobs.create, { success: 'successes.jobCreated', failure: 'failures.createJob' });
  const update = useUpdate(jobs.update, jobs.get, { success: 'successes.jobUpdated', failure: 'failures.updateJob' });
  return {
    isPending: create.isPending || update.isPending,
    save(body) {
      if (job === null) create.mutate({ params: { tenantId }, body }, { onSuccess: onSaved, onError: onRefused });
      else update.save({ params: { tenantId, jobId: job.jobId }, body }, job, onSaved, onRefused);
    },
  };
}

/** The fields of the draft that the server refused, such as a name that is taken; nothing when it was no field. */
function refusedFields(error: Error): readonly DraftFault[] {
  if (!(error instanceof ApiError)) return [];
  return Object.entries(error.fields).map(([path, texts]) => ({ field: fieldOf(path.split('.')), message: texts.join(' ') }));
}

interface StepContentProps {
  readonly step: StepName;
  readonly tenantId: string;
  readonly area: JobArea;
  readonly isNew: boolean;
  readonly onEdit: (step: StepName) => void;
}

function StepContent({ step, tenantId, area, isNew, onEdit }: StepContentProps): ReactElement {
  switch (step) {
    case 'job':
      return <JobStep area={area} isNew={isNew} />;
    case 'sources':
      return <SourcesStep tenantId={tenantId} />;
    case 'target':
      return <TargetStep tenantId={tenantId} />;
    case 'schedule':
      return <ScheduleStep />;
    case 'summary':
      return <SummaryStep tenantId={tenantId} onEdit={onEdit} />;
  }
}
