import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { discovery } from '@holdfast/contract/discovery';
import type { Node, Source } from '@holdfast/contract/discovery';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import type { ChosenVersion } from '../content/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { ItemsStep } from './items-step.tsx';
import { emptySelection, isEmpty, versionOf } from './selection.ts';
import type { Selection } from './selection.ts';
import { SourceStep } from './source-step.tsx';
import { StartedRestore } from './started-restore.tsx';
import { TargetStep } from './target-step.tsx';
import { selectionOf, useWantedRestore } from './wanted-restore.ts';

const base = '/backup-and-restore/restore';

/** `/backup-and-restore/restore`: what, when and which items, whereto. */
export default function RestorePage(): ReactElement {
  const text = useText();
  const detail = useDetail(base);
  const navigate = useNavigate();
  const { id: jobId } = detail;
  return (
    <Page title={text('shell.restore')} lead={text('restore.lead')}>
      <WithTenant>
        {(tenant) =>
          jobId === null ? (
            <Wizard tenantId={tenant.tenantId} onStarted={(id) => void navigate(`${base}/${id}`)} />
          ) : (
            <StartedRestore tenantId={tenant.tenantId} jobId={jobId} />
          )
        }
      </WithTenant>
    </Page>
  );
}

interface WizardProps {
  readonly tenantId: string;
  readonly onStarted: (jobId: string) => void;
}

/** The source stands in the address, so that reload and back work; the rest is made anew for each. */
function Wizard({ tenantId, onStarted }: WizardProps): ReactElement {
  const [params, setParams] = useSearchParams();
  const locationId = params.get('location');
  const sourceId = params.get('source');
  if (locationId === null || sourceId === null) {
    return <SourceStep tenantId={tenantId} onChoose={(location, source) => setParams({ location, source: source.sourceId })} />;
  }
  return (
    <ChosenSource
      key={sourceId}
      tenantId={tenantId}
      locationId={locationId}
      sourceId={sourceId}
      onStarted={onStarted}
      onBack={() => setParams({})}
    />
  );
}

interface ChosenSourceProps extends WizardProps {
  readonly locationId: string;
  readonly sourceId: string;
  readonly onBack: () => void;
}

function ChosenSource(props: ChosenSourceProps): ReactElement {
  const { tenantId, locationId, sourceId } = props;
  const source = useQuery({
    ...read(discovery.source, { params: { tenantId, locationId, sourceId }, quiet: true }),
    staleTime: 60_000,
  });
  if (source.isError) return <FailedState error={source.error} onRetry={() => void source.refetch()} />;
  return source.data === undefined ? <LoadingShape rows={6} /> : <SourceWizard {...props} source={source.data} />;
}

function SourceWizard({ tenantId, locationId, source, onStarted, onBack }: ChosenSourceProps & { readonly source: Source }): ReactElement {
  const text = useText();
  const wanted = useWantedRestore();
  const [step, setStep] = useState(wanted === null ? 1 : 2);
  const [sequence, setSequence] = useState<number | null>(wanted?.sequence ?? null);
  const [selection, setSelection] = useState<Selection>(wanted === null ? emptySelection : selectionOf(wanted));
  const place = { tenantId, locationId, sourceId: source.sourceId };
  const steps = [text('restore.stepWhat'), text('restore.stepItems'), text('restore.stepTarget')];
  const restoreVersion = (node: Node, version: ChosenVersion): void => {
    if (node.lastSequence !== null) setSequence(node.lastSequence);
    setSelection(versionOf(node, version));
    setStep(2);
  };
  const [submit, setSubmit] = useState<(() => void) | null>(null);
  return (
    <Stepper
      steps={steps}
      current={step}
      finish={text('restore.restore')}
      blocked={isEmpty(selection)}
      onBack={() => (step === 1 ? onBack() : setStep(1))}
      onNext={() => (step === 1 ? setStep(2) : submit?.())}
      onCancel={onBack}
    >
      {step === 1 ? (
        <ItemsStep
          place={place}
          source={source}
          sequence={sequence}
          onSequence={setSequence}
          selection={selection}
          onSelect={setSelection}
          onVersion={restoreVersion}
        />
      ) : (
        <TargetStep
          place={place}
          source={source}
          sequence={sequence}
          selection={selection}
          target={wanted?.target ?? 'original'}
          onReady={(run) => setSubmit(() => run)}
          onStarted={onStarted}
        />
      )}
    </Stepper>
  );
}
