import {
  Card,
  makeStyles,
  Subtitle2,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  Text,
  tokens,
} from '@fluentui/react-components';
import { discovery } from '@holdfast/contract/discovery';
import type { Source } from '@holdfast/contract/discovery';
import { useQueries } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Size } from '../../ui/moment.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { useLocations } from '../tenants/index.ts';

const shown = 10;

const useStyles = makeStyles({
  name: { overflowWrap: 'anywhere', paddingBlock: tokens.spacingVerticalXS },
  number: { textAlign: 'end', width: '96px', fontVariantNumeric: 'tabular-nums' },
  numberHead: { width: '96px', '& .fui-TableHeaderCell__button': { justifyContent: 'end' } },
});

interface Held {
  readonly locationId: string;
  readonly source: Source;
}

/** The ten largest mailboxes of all locations; null while one of them has not answered. */
function useLargest(tenantId: string): readonly Held[] | null {
  const locations = useLocations(tenantId);
  const places = locations.data?.items ?? [];
  const answers = useQueries({
    queries: places.map(({ locationId }) => ({
      ...read(discovery.sources, {
        params: { tenantId, locationId },
        query: { workload: 'exchange', sort: '-bytes', limit: shown },
        quiet: true,
      }),
      staleTime: 60_000,
    })),
  });
  if (locations.data === undefined || answers.some((answer) => answer.isPending)) return null;
  const held = answers.flatMap((answer, at) =>
    (answer.data?.items ?? []).map((source) => ({ source, locationId: places[at]?.locationId ?? '' })),
  );
  return held.toSorted((left, right) => right.source.bytes - left.source.bytes).slice(0, shown);
}

/** Whose mail needs the most room. */
export function TopMailboxesCard({ tenantId }: { readonly tenantId: string }): ReactElement | null {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const mayBrowse = useMay('content.browse');
  const largest = useLargest(tenantId);
  if (largest === null) return null;
  return (
    <Card>
      <Subtitle2 as="h2">{text('dashboard.topMailboxes')}</Subtitle2>
      {largest.length === 0 ? (
        <Text>{text('dashboard.noMailboxes')}</Text>
      ) : (
        <Table size="small" aria-label={text('dashboard.topMailboxes')}>
          <TableHeader>
            <TableRow>
              <TableHeaderCell>{text('common.name')}</TableHeaderCell>
              <TableHeaderCell className={styles.numberHead}>{text('dashboard.items')}</TableHeaderCell>
              <TableHeaderCell className={styles.numberHead}>{text('dashboard.size')}</TableHeaderCell>
            </TableRow>
          </TableHeader>
          <TableBody>
            {largest.map(({ source, locationId }) => (
              <TableRow key={`${locationId} ${source.sourceId}`}>
                <TableCell className={styles.name}>
                  {mayBrowse ? (
                    <RouterLink to={`/backup-and-restore/restore?location=${locationId}&source=${source.sourceId}`}>
                      {source.name}
                    </RouterLink>
                  ) : (
                    source.name
                  )}
                </TableCell>
                <TableCell className={styles.number}>{format.count(source.items)}</TableCell>
                <TableCell className={styles.number}>
                  <Size bytes={source.bytes} />
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </Card>
  );
}
