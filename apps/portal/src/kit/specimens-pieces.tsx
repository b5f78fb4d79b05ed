import type { ReactElement } from 'react';
import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useFormat, useText } from '../i18n/use-text.ts';
import { Address } from '../ui/address.tsx';
import { Chart } from '../ui/chart/chart.tsx';
import { DrawnPages } from '../ui/drawn-pages.tsx';
import { EmptyState, FailedState, FirstStep } from '../ui/empty-state.tsx';
import { Figure } from '../ui/figure.tsx';
import { FocusGroup } from '../ui/focus-group.tsx';
import { CardGrid, Facts, Row, Split, Stack } from '../ui/layout.tsx';
import { LoadingShape } from '../ui/loading-shape.tsx';
import { LongCode } from '../ui/long-code.tsx';
import { MarkedText } from '../ui/marked-text.tsx';
import { Moment, Size } from '../ui/moment.tsx';
import { NarrowedByLink } from '../ui/narrowed-by-link.tsx';
import { RankedBars } from '../ui/ranked-bars.tsx';
import { RouterLink } from '../ui/router-link.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { StatusBadge, statuses } from '../ui/status-badge.tsx';
import { Stepper } from '../ui/stepper.tsx';
import { WorkloadIcon, workloadColours } from '../ui/workload-look.tsx';
import { DayLegend, DayMarks } from '../ui/day-marks.tsx';
import { Ring } from '../ui/ring.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Specimen } from './specimen.tsx';

/** One pixel, as the server would draw a page. */
const pixel = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==';

const workloads = ['exchange', 'onedrive', 'sharepoint', 'teams'] as const;

/** The parts that stand alone: badges, figures, states, charts, steps. */
export function Pieces(): ReactElement {
  return (
    <>
      <Badges />
      <Figures />
      <Pictures />
      <States />
      <Charts />
      <Steps />
      <TabChoice />
    </>
  );
}

function Badges(): ReactElement {
  const text = useText();
  return (
    <Specimen name="StatusBadge">
      <Row>
        {statuses.map((status) => (
          <StatusBadge key={status} status={status} />
        ))}
        <StatusBadge status="defective" detail={text('status.defectiveDetail', { errors: 12, total: 4_310 })} />
      </Row>
    </Specimen>
  );
}

function Pictures(): ReactElement {
  const format = useFormat();
  return (
    <Specimen name="Ring, WorkloadIcon, DayMarks, DayLegend">
      <Row>
        <Ring
          parts={[
            { name: 'exchange', value: 27, colour: workloadColours.exchange },
            { name: 'teams', value: 3, colour: workloadColours.teams },
          ]}
        >
          {format.count(30)}
        </Ring>
        {workloads.map((workload) => (
          <WorkloadIcon key={workload} workload={workload} />
        ))}
      </Row>
      <DayMarks dates={['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21']} days={['none', 'failed', 'errors', 'safe']} />
      <DayLegend />
    </Specimen>
  );
}

function Figures(): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <>
      <Specimen name="Figure, CardGrid">
        <CardGrid>
          <Figure label={text('dashboard.teams')} value={format.count(12)} />
          <Figure label={text('dashboard.messages')} value={format.count(1_204_310)} hint={text('dashboard.teamsLead')} />
          <Figure label={text('dashboard.free')} value={format.bytes(null)} />
        </CardGrid>
      </Specimen>
      <Specimen name="RankedBars, ShareBar">
        <Split>
          <RankedBars
            label={text('dashboard.topMailboxes')}
            bars={[
              { id: 'first', name: 'Adele Vance', value: 9_663_676_416, words: format.bytes(9_663_676_416), hint: text('dashboard.lead') },
              { id: 'second', name: 'Ben Walters', value: 1_073_741_824, words: format.bytes(1_073_741_824) },
            ]}
          />
          <Stack>
            <ShareBar
              shares={[
                { name: text('archive.coverages.complete'), value: 21, words: format.count(21), colour: 'success' },
                { name: text('archive.coverages.partly'), value: 3, words: format.count(3), colour: 'warning' },
                { name: text('archive.coverages.none'), value: 1, words: format.count(1), colour: 'danger' },
              ]}
            />
          </Stack>
        </Split>
      </Specimen>
      <Specimen name="DrawnPages">
        <DrawnPages
          number={1}
          shown={{ pages: 2, width: 120, height: 80, picture: pixel, words: '' }}
          isLeaving={false}
          onNumber={() => undefined}
        />
      </Specimen>
      <Specimen name="MarkedText">
        <MarkedText
          text="The offer of sand, and another offer"
          marks={[
            { from: 4, to: 9 },
            { from: 31, to: 36 },
          ]}
        />
      </Specimen>
      <Specimen name="Facts, Split, Moment, Size, Address, RouterLink">
        <Split>
          <Facts
            items={[
              [text('dashboard.lastSuccess'), <Moment key="at" at="2026-11-21T09:30:00Z" />],
              [text('dashboard.stored'), <Size key="size" bytes={5_368_709_120} />],
              [text('dashboard.newest'), <Moment key="none" at={null} />],
            ]}
          />
          <Facts
            items={[
              [
                text('dashboard.lastDrill'),
                <RouterLink key="link" to="/centred">
                  {text('jobs.openRun')}
                </RouterLink>,
              ],
              [
                text('jobs.address'),
                <Address key="address" value="a-rather-long-address-without-any-place-to-break@contoso.onmicrosoft.example" />,
              ],
            ]}
          />
        </Split>
      </Specimen>
    </>
  );
}

/** A failure as the server tells it. */
const failure = new ApiError({
  kind: 'answer',
  status: 503,
  legacy: false,
  path: '/kit',
  problem: { code: 'service.unavailable', message: 'Temporary server error. Please try again in 30 seconds.', requestId: 'req-7f3a' },
});

function States(): ReactElement {
  const text = useText();
  return (
    <>
      <Specimen name="EmptyState, FirstStep">
        <Split>
          <EmptyState text={text('restore.empty')} action={<RouterLink to="/centred">{text('restore.emptyAction')}</RouterLink>} />
          <FirstStep text={text('dashboard.noRuns')} label={text('dashboard.createJob')} may onClick={() => undefined} />
        </Split>
      </Specimen>
      <Specimen name="NarrowedByLink">
        <NarrowedByLink text={text('audit.onlyEvent', { event: text('auditEvents.content.opened') })} names={['event']} />
      </Specimen>
      <Specimen name="FocusGroup">
        <FocusGroup label={text('common.status')}>
          <RouterLink to="/centred">{text('restore.emptyAction')}</RouterLink>
        </FocusGroup>
      </Specimen>
      <Specimen name="FailedState">
        <FailedState error={failure} onRetry={() => undefined} />
      </Specimen>
      <Specimen name="LoadingShape">
        <LoadingShape rows={3} />
      </Specimen>
      <Specimen name="LongCode">
        <LongCode>{'https://holdfast.example/reset-password/'.padEnd(160, 'x9Kf-')}</LongCode>
      </Specimen>
      <Specimen name="ShownOnce">
        <ShownOnce
          title={text('apiKeys.once')}
          use={text('apiKeys.use')}
          value={'hf_key_'.padEnd(50, 'x9Kf-')}
          kept={text('apiKeys.kept')}
          onCopied={() => undefined}
          onDone={() => undefined}
        />
      </Specimen>
    </>
  );
}

function Charts(): ReactElement {
  const text = useText();
  const format = useFormat();
  const points = Array.from({ length: 30 }, (_empty, day) => ({
    label: `${day + 1}.`,
    values: [3 + (day % 4), day % 5 === 0 ? 1 : 0, day % 7 === 2 ? 2 : 0, day % 3 === 2 ? 1 : 0],
  }));
  return (
    <Specimen name="Chart">
      <Chart
        title={text('dashboard.runsByDay')}
        series={[
          { name: text('status.successful'), colour: 'success' },
          { name: text('status.defective'), colour: 'warning' },
          { name: text('status.failed'), colour: 'danger' },
          { name: text('status.skipped'), colour: 'neutral' },
        ]}
        points={points}
        format={(value) => format.count(value)}
      />
    </Specimen>
  );
}

function TabChoice(): ReactElement {
  const text = useText();
  const [chosen, setChosen] = useState<(typeof workloads)[number]>('exchange');
  return (
    <Specimen name="Tabs">
      <Tabs names={workloads} selected={chosen} word={(name) => text(`common.${name}`)} onSelect={setChosen} />
    </Specimen>
  );
}

function Steps(): ReactElement {
  const text = useText();
  const [step, setStep] = useState(1);
  const steps = [
    text('jobs.stepJob'),
    text('jobs.stepSources'),
    text('jobs.stepTarget'),
    text('jobs.stepSchedule'),
    text('jobs.stepSummary'),
  ];
  return (
    <Specimen name="Stepper">
      <Stepper
        steps={steps}
        current={step}
        finish={text('jobs.create')}
        onBack={() => setStep(step - 1)}
        onNext={() => setStep((step + 1) % steps.length)}
        onCancel={() => setStep(0)}
      >
        {steps[step]}
      </Stepper>
    </Specimen>
  );
}
