import { jobs } from '@holdfast/contract/jobs';
import type { Job, JobBody } from '@holdfast/contract/jobs';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { FormProvider, useForm, useWatch } from 'react-hook-form';
import type { UseFormReturn } from 'react-hook-form';
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
import { useLeaveGuard } from '../../../ui/use-leave-guard.tsx';
import type { JobArea } from '../job-list.tsx';
import { checkDraft, draftOf, draftSchema, emptyDraft, stepFields, stepsOf } from './draft.ts';
import type { Draft, StepName } from './draft.ts';
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
  if (jobId === null) return timeZone === undefined ? <LoadingShape rows={6} /> : <Steps {...props} job={null} timeZone={timeZone} />;
  return <Existing {...props} tenantId={tenantId} jobId={jobId} />;
}

function Existing(props: JobStepperProps & { readonly jobId: string }): ReactElement {
  const { tenantId, jobId } = props;
  const job = useQuery({ ...read(jobs.get, { params: { tenantId, jobId }, quiet: true }), staleTime: Infinity });
  if (job.isError) return <FailedState error={job.error} onRetry={() => void job.refetch()} />;
  return job.data === undefined ? <LoadingShape rows={6} /> : <Steps {...props} job={job.data} timeZone="UTC" />;
}

function useDraft(area: JobArea, job: Job | null, timeZone: string): readonly [UseFormReturn<Draft>, () => void] {
  const kept = useMemo(
    () => createKept(sessionStorage, `holdfast.draft.${job?.jobId ?? area.tableId}`, draftSchema),
    [area.tableId, job?.jobId],
  );
  const form = useForm<Draft>({
    defaultValues: useMemo(() => {
      const fresh = emptyDraft({ workload: area.workload ?? 'exchange', timeZone });
      return kept.read() ?? (job === null ? fresh : draftOf(job));
    }, [area.workload, job, kept, timeZone]),
  });
  const values = useWatch({ control: form.control });
  const { isDirty } = form.formState;
  useEffect(() => {
    if (isDirty) kept.write(values as Draft);
  }, [isDirty, kept, values]);
  return [form, () => kept.write(null)];
}

type StepsProps = JobStepperProps & { readonly job: Job | null; readonly timeZone: string };

function Steps({ tenantId, area, job, listTitle, timeZone }: StepsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const [form, forget] = useDraft(area, job, timeZone);
  // Events bring newer states of the job; the entries belong to the one that the form began with.
  const [seen] = useState(job);
  const [current, setCurrent] = useState(0);
  const [asked, setAsked] = useState<JobBody | null>(null);
  const [saved, setSaved] = useState(false);
  const type = useWatch({ control: form.control, name: 'type' });
  const steps = stepsOf(type);
  const step = steps[current] ?? 'summary';
  const finish = useFinish({ tenantId, job: seen, onSaved: () => setSaved(true) });
  const guard = useLeaveGuard(form.formState.isDirty && !saved);
  useEffect(() => {
    if (!saved) return;
    forget();
    void navigate(area.base);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- leaves once, when the job is saved
  }, [saved]);
  const handleNext = (): void => {
    const { body, faults } = checkDraft(form.getValues());
    const here: readonly (keyof Draft)[] = stepFields[step];
    const shown = faults.filter((fault) => step === 'summary' || here.includes(fault.field));
    form.clearErrors();
    for (const [at, fault] of shown.entries()) form.setError(fault.field, { message: fault.message }, { shouldFocus: at === 0 });
    if (shown.length > 0) {
      if (step === 'summary')
        setCurrent(
          Math.max(
            0,
            steps.findIndex((name) => (stepFields[name] as readonly string[]).includes(shown[0]?.field ?? '')),
          ),
        );
    } else if (step !== 'summary') setCurrent(current + 1);
    else if (body !== null && job !== null) setAsked(body);
    else if (body !== null) finish.save(body);
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
          onNext={handleNext}
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
      {guard}
      {asked !== null && job !== null && (
        <ConfirmDialog
          title={text('confirmations.updateTitle', { name: job.name })}
          text={text('confirmations.updateText', { date: format.dateTime(job.nextRun) })}
          button={text('confirmations.updateButton')}
          busy={finish.isPending}
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

interface FinishParts {
  readonly tenantId: string;
  readonly job: Job | null;
  readonly onSaved: () => void;
}

function useFinish({ tenantId, job, onSaved }: FinishParts): { readonly save: (body: JobBody) => void; readonly isPending: boolean } {
  const create = useChange(jobs.create, { success: 'successes.jobCreated', failure: 'failures.createJob' });
  const update = useUpdate(jobs.update, jobs.get, { success: 'successes.jobUpdated', failure: 'failures.updateJob' });
  return {
    isPending: create.isPending || update.isPending,
    save(body) {
      if (job === null) create.mutate({ params: { tenantId }, body }, { onSuccess: onSaved });
      else update.save({ params: { tenantId, jobId: job.jobId }, body }, job, onSaved);
    },
  };
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
