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
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Size } from '../../ui/moment.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { restoreLink, useHeldSources, type HeldSource } from '../restore/index.ts';

const shown = 10;

const useStyles = makeStyles({
  name: { overflowWrap: 'anywhere', paddingBlock: tokens.spacingVerticalXS },
  number: { textAlign: 'end', width: '96px', fontVariantNumeric: 'tabular-nums' },
  numberHead: { width: '96px', '& .fui-TableHeaderCell__button': { justifyContent: 'end' } },
});

/** The ten largest mailboxes of all locations; null while one of them has not answered. */
function useLargest(tenantId: string): readonly HeldSource[] | null {
  const held = useHeldSources(tenantId, { workload: 'exchange', sort: '-bytes', limit: shown }, { staleTime: 60_000 });
  if (held.isPending || held.sources === null) return null;
  return held.sources.toSorted((left, right) => right.source.bytes - left.source.bytes).slice(0, shown);
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
                  {mayBrowse ? <RouterLink to={restoreLink({ source, locationId })}>{source.name}</RouterLink> : source.name}
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
