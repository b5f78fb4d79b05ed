import { Card, Subtitle2, Text } from '@fluentui/react-components';
import { compliance } from '@holdfast/contract/compliance';
import { byteUnit } from '@holdfast/paper/charts';
import type { DataManagementFigures } from '@holdfast/contract/compliance-values';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Chart } from '../../ui/chart/chart.tsx';
import { FailedState, FirstStep } from '../../ui/empty-state.tsx';
import { Figure } from '../../ui/figure.tsx';
import { CardGrid, Facts, Row, Split, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { WithTenant } from '../tenants/index.ts';
import { StartScan } from './start-scan.tsx';

/** While the first scan is on its way, the figures are looked for. */
const pollMs = 5_000;

/** `/compliance/dashboard`: what sites and OneDrives hold. */
export default function ComplianceDashboardPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.complianceDashboard')} lead={text('compliance.dashboardLead')}>
      <WithTenant>{(tenant) => <Figures tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

function Figures({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const mayManage = useMay('jobs.manage');
  const figures = useQuery({
    ...read(compliance.dashboard, { params: { tenantId }, quiet: true, background: true }),
    refetchInterval: (query) => (query.state.data?.scannedAt === null ? pollMs : false),
  });
  if (figures.isError) return <FailedState error={figures.error} onRetry={() => void figures.refetch()} />;
  if (figures.data === undefined) return <LoadingShape rows={3} height={128} />;
  if (figures.data.protected === 0) {
    return (
      <FirstStep
        text={text('compliance.noSites')}
        label={text('compliance.createJob')}
        may={mayManage}
        onClick={() => void navigate('/backup-and-restore/backup-jobs/new')}
      />
    );
  }
  return (
    <Stack loose>
      <Row spread>
        <Text>
          {figures.data.scannedAt === null ? (
            text('compliance.asOfNever')
          ) : (
            <>
              {text('compliance.asOf')} <Moment at={figures.data.scannedAt} />
            </>
          )}
        </Text>
        <StartScan tenantId={tenantId} />
      </Row>
      <Cards figures={figures.data} />
      <Split even>
        {figures.data.scannedAt !== null && <AgeChart buckets={figures.data.ageBuckets} />}
        <ChangesChart days={figures.data.days} />
      </Split>
      {figures.data.scannedAt !== null && <TopSites top={figures.data.top} />}
    </Stack>
  );
}

function Cards({ figures }: { readonly figures: DataManagementFigures }): ReactElement {
  const text = useText();
  const format = useFormat();
  // Nobody has counted before the first scan: zero would be a finding.
  const found = figures.scannedAt === null ? null : figures;
  const { protected: kept, held, due } = figures;
  return (
    <CardGrid size="four">
      <Figure
        label={text('compliance.sites')}
        value={format.count(found?.sites)}
        hint={`${text('compliance.protected')}: ${format.count(kept)}`}
      />
      <Figure label={text('compliance.files')} value={format.count(found?.files)} hint={format.bytes(found?.bytes)} />
      <Figure
        label={text('compliance.versionBytes')}
        value={format.bytes(found?.versionBytes)}
        hint={`${text('compliance.earlierVersions')}: ${format.count(found?.versions)}`}
      />
      <Figure label={text('compliance.exposed')} value={format.count(found?.exposed)} hint={text('compliance.exposedHint')} />
      <Figure label={text('compliance.sensitiveTab')} value={format.count(figures.sensitive)} hint={text('compliance.sensitiveHint')} />
      <Figure
        label={text('compliance.duplicates')}
        value={format.count(found?.duplicates)}
        {...(found === null ? {} : { hint: text('compliance.duplicatesHint', { size: format.bytes(found.duplicateBytes) }) })}
      />
      <Figure label={text('compliance.deleted')} value={format.count(found?.deleted)} />
      <Figure label={text('compliance.held')} value={format.count(held)} />
      {due !== null && <Figure label={text('compliance.due')} value={format.count(due)} hint={text('compliance.dueHint')} />}
    </CardGrid>
  );
}

function AgeChart({ buckets }: { readonly buckets: DataManagementFigures['ageBuckets'] }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Chart
      title={text('compliance.bucketsTitle')}
      pointTitle={text('compliance.age')}
      series={[{ name: text('compliance.size'), colour: 'brand' }]}
      points={buckets.map(({ age, bytes }) => ({ label: text(`compliance.buckets.${age}`), values: [bytes] }))}
      format={(value) => format.bytes(value)}
      unit={byteUnit}
    />
  );
}

function ChangesChart({ days }: { readonly days: DataManagementFigures['days'] }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Chart
      title={text('compliance.changesTitle')}
      series={[
        { name: text('compliance.added'), colour: 'success' },
        { name: text('compliance.changed'), colour: 'brand' },
        { name: text('compliance.removed'), colour: 'danger' },
      ]}
      points={days.map((day) => ({ label: format.calendarDay(day.date), values: [day.added, day.changed, day.removed] }))}
      format={(value) => format.count(value)}
    />
  );
}

/** The sites that waste most, and what to do about it. */
function TopSites({ top }: { readonly top: DataManagementFigures['top'] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const mayBrowse = useMay('content.browse');
  return (
    <Card>
      <Subtitle2 as="h2">{text('compliance.topTitle')}</Subtitle2>
      {top.length === 0 ? (
        <Text>{text('compliance.topNone')}</Text>
      ) : (
        <>
          <Facts
            items={top.map((site) => {
              const size = format.bytes(site.versionBytes);
              const to = `/compliance/reporting?tab=waste&by=file&site=${site.siteId}`;
              return [
                site.name,
                <Row key={site.siteId}>
                  <span>{size}</span>
                  {mayBrowse && <RouterLink to={to}>{text('compliance.openReport')}</RouterLink>}
                </Row>,
              ] as const;
            })}
          />
          <Text>{text('compliance.topAdvice')}</Text>
        </>
      )}
    </Card>
  );
}
