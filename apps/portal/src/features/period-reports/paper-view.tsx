import {
  Card,
  makeStyles,
  MessageBar,
  MessageBarBody,
  MessageBarTitle,
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
import type { Block, Paper, TableBlock, Verdict } from '@holdfast/contract/paper';
import type { ReactElement } from 'react';
import { Figure } from '../../ui/figure.tsx';
import { CardGrid, Facts, Stack } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { DrawingView } from '../../ui/chart/drawing-view.tsx';

const useStyles = makeStyles({
  frame: { overflowX: 'auto' },
  table: { minWidth: '640px' },
  number: { textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
  cell: { overflowWrap: 'anywhere', paddingBlock: tokens.spacingVerticalXS },
  drawing: { minWidth: '520px', maxWidth: '800px', width: '100%' },
  list: { margin: 0, paddingInlineStart: tokens.spacingHorizontalXL },
});

/** A paper on the page: what the PDF file says, with each row a link to its list. */
export function PaperView({ paper }: { readonly paper: Paper }): ReactElement {
  return (
    <Stack loose>
      <VerdictView verdict={paper.verdict} />
      <Card>
        <Facts items={paper.facts.map(({ label, value }) => [label, value] as const)} />
      </Card>
      {paper.sections.map(({ title, blocks }) => (
        <Card key={title}>
          <Subtitle2 as="h2">{title}</Subtitle2>
          <Stack>
            {blocks.map((block, at) => (
              <BlockView key={at} block={block} section={title} />
            ))}
          </Stack>
        </Card>
      ))}
    </Stack>
  );
}

const INTENTS = { success: 'success', warning: 'warning', danger: 'error', neutral: 'info' } as const;

/** The one thing to know, before everything else. */
function VerdictView({ verdict: { ink, state, text, parts } }: { readonly verdict: Verdict }): ReactElement {
  return (
    <MessageBar intent={INTENTS[ink]} layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>{state}</MessageBarTitle>
        {(parts ?? [{ text, link: undefined }]).map((part, at) => (
          <CellView key={at} value={part.text} link={part.link} />
        ))}
      </MessageBarBody>
    </MessageBar>
  );
}

function BlockView({ block, section }: { readonly block: Block; readonly section: string }): ReactElement {
  const styles = useStyles();
  if (block.kind === 'text') return <Text>{block.text}</Text>;
  if (block.kind === 'chart')
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reached by keyboard
      <section className={styles.frame} tabIndex={0} aria-label={block.title}>
        <ChartView chart={block} />
      </section>
    );
  if (block.kind === 'table') return <TableView table={block} section={section} />;
  if (block.kind === 'list')
    return (
      <ul className={styles.list}>
        {block.items.map(({ text, link }) => (
          <li key={text}>{link === undefined ? text : <RouterLink to={link}>{text}</RouterLink>}</li>
        ))}
      </ul>
    );
  return (
    <CardGrid size="tight">
      {block.figures.map(({ label, value, link }) => (
        <Figure key={label} label={label} value={link === undefined ? value : <RouterLink to={link}>{value}</RouterLink>} />
      ))}
    </CardGrid>
  );
}

/** Where a cell leads: to its own list, or, what names the row and its numbers, where the row does. */
function linkOf({ columns }: TableBlock, { link, links = [] }: TableBlock['rows'][number], column: number): string | undefined {
  return links[column] ?? (column === 0 || columns[column]?.isNumber === true ? link : undefined);
}

function ChartView({ chart: { title, drawing, link } }: { readonly chart: Extract<Block, { kind: 'chart' }> }): ReactElement {
  const styles = useStyles();
  const drawn = <DrawingView title={title} drawing={drawing} className={styles.drawing} />;
  return link === undefined ? drawn : <RouterLink to={link}>{drawn}</RouterLink>;
}

function CellView({ value, link }: { readonly value: string; readonly link: string | undefined }): ReactElement {
  return link === undefined || value === '' ? <>{value}</> : <RouterLink to={link}>{value}</RouterLink>;
}

function TableView({ table, section }: { readonly table: TableBlock; readonly section: string }): ReactElement {
  const styles = useStyles();
  const label = table.title || section;
  if (table.rows.length === 0)
    return (
      <Stack>
        {table.title !== '' && <Text weight="semibold">{table.title}</Text>}
        <Text>{table.empty}</Text>
      </Stack>
    );
  return (
    <Stack>
      {table.title !== '' && <Text weight="semibold">{table.title}</Text>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reached by keyboard */}
      <section className={styles.frame} tabIndex={0} aria-label={label}>
        <Table size="small" className={styles.table} aria-label={label}>
          <TableHeader>
            <TableRow>
              {table.columns.map(({ title, isNumber }) => (
                <TableHeaderCell key={title} className={isNumber ? styles.number : styles.cell}>
                  {title}
                </TableHeaderCell>
              ))}
            </TableRow>
          </TableHeader>
          <TableBody>
            {table.rows.map((row, at) => (
              <TableRow key={at}>
                {row.cells.map((value, column) => (
                  <TableCell key={column} className={table.columns[column]?.isNumber === true ? styles.number : styles.cell}>
                    <CellView value={value} link={linkOf(table, row, column)} />
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </section>
      {table.more !== undefined && (
        <Text size={200}>
          <CellView value={table.more} link={table.moreLink} />
        </Text>
      )}
    </Stack>
  );
}
