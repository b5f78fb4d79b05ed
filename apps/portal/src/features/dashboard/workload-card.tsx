import { Card, Subtitle2, Text } from '@fluentui/react-components';
import type { WorkloadFigures } from '@holdfast/contract/dashboard';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Facts, Row } from '../../ui/layout.tsx';
import { Moment, Size } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { Status } from '../../ui/status-badge.tsx';
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import { isFirstBackup } from './first-backup.ts';

function stateOf(figures: WorkloadFigures): Status {
  if (figures.protected + figures.partly === 0) return figures.unprotected > 0 ? 'unprotected' : 'excluded';
  return figures.unprotected + figures.partly > 0 ? 'partly' : 'protected';
}

/** A workload at a glance: protected, not protected, runs, restore points. */
export function WorkloadCard({ figures }: { readonly figures: WorkloadFigures }): ReactElement {
  const text = useText();
  const format = useFormat();
  const isComplete = useAfterPaint();
  const isFirst = isFirstBackup(figures);
  return (
    <Card>
      <Subtitle2 as="h2">{text(`common.${figures.workload}`)}</Subtitle2>
      {/* In a line of its own: beside the name a longer state would go below it in one card and not in the next. */}
      <Row>
        {isFirst ? <StatusBadge status="running" detail={text('dashboard.firstBackup')} /> : <StatusBadge status={stateOf(figures)} />}
      </Row>
      <Text size={700} weight="semibold">
        {text('dashboard.protectedOf', { count: format.count(figures.protected) })}
      </Text>
      {figures.partly + figures.unprotected + figures.excluded > 0 && (
        <Row>
          {figures.partly > 0 && <Text>{text('dashboard.partly', { count: format.count(figures.partly) })}</Text>}
          {figures.unprotected > 0 && (
            <Text>
              {text(isFirst ? 'dashboard.firstBackupStill' : 'dashboard.unprotected', { count: format.count(figures.unprotected) })}
            </Text>
          )}
          {figures.excluded > 0 && <Text>{text('dashboard.excluded', { count: format.count(figures.excluded) })}</Text>}
        </Row>
      )}
      <Text>
        {text('dashboard.runs', {
          runs: format.count(figures.runs),
          failed: format.count(figures.failed),
          defective: format.count(figures.defective),
        })}
      </Text>
      {isComplete && <Saved figures={figures} />}
    </Card>
  );
}

/** What there is to go back to. */
function Saved({ figures }: { readonly figures: WorkloadFigures }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Facts
      stacked
      items={[
        [text('dashboard.lastSuccess'), <Moment key="last" at={figures.lastSuccessAt} />],
        [text('dashboard.read'), <Size key="read" bytes={figures.bytes} />],
        [text('dashboard.points'), format.count(figures.restorePoints)],
        [text('dashboard.oldest'), format.date(figures.oldestPointAt)],
        [text('dashboard.newest'), format.dateTime(figures.newestPointAt)],
      ]}
    />
  );
}
