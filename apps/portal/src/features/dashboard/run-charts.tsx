import type { WorkloadFigures } from '@holdfast/contract/dashboard';
import { byteUnit } from '@holdfast/paper/charts';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Chart } from '../../ui/chart/chart.tsx';

type Day = WorkloadFigures['days'][number];

/** The days of several workloads added up; they all cover the same thirty days. */
export function addedDays(workloads: readonly WorkloadFigures[]): readonly Day[] {
  const days = new Map<string, Day>();
  for (const day of workloads.flatMap((figures) => figures.days)) {
    const sum = days.get(day.date);
    days.set(
      day.date,
      sum === undefined
        ? { ...day }
        : {
            date: day.date,
            successful: sum.successful + day.successful,
            defective: sum.defective + day.defective,
            failed: sum.failed + day.failed,
            skipped: sum.skipped + day.skipped,
            items: sum.items + day.items,
            bytes: sum.bytes + day.bytes,
          },
    );
  }
  return [...days.values()].toSorted((left, right) => left.date.localeCompare(right.date));
}

/** Runs of the last thirty days by result. */
export function RunsChart({ workloads }: { readonly workloads: readonly WorkloadFigures[] }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Chart
      title={text('dashboard.runsByDay')}
      series={[
        { name: text('status.successful'), colour: 'success' },
        { name: text('status.defective'), colour: 'warning' },
        { name: text('status.failed'), colour: 'danger' },
        { name: text('status.skipped'), colour: 'neutral' },
      ]}
      points={addedDays(workloads).map((day) => ({
        label: format.calendarDay(day.date),
        values: [day.successful, day.defective, day.failed, day.skipped],
      }))}
      format={(value) => format.count(value)}
    />
  );
}

/** Data read in the last thirty days. */
export function BytesChart({ workloads }: { readonly workloads: readonly WorkloadFigures[] }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Chart
      title={text('dashboard.bytesByDay')}
      series={[{ name: text('dashboard.read'), colour: 'brand' }]}
      points={addedDays(workloads).map((day) => ({ label: format.calendarDay(day.date), values: [day.bytes] }))}
      format={(value) => format.bytes(value)}
      unit={byteUnit}
    />
  );
}
