import { Badge, makeStyles, tokens } from '@fluentui/react-components';
import { LockClosedRegular } from '@fluentui/react-icons';
import { audiences, fileKinds } from '@holdfast/contract/compliance-values';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import type { ReactElement } from 'react';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import type { Column, Filter } from '../../ui/data-table/types.ts';
import { Moment, Size } from '../../ui/moment.tsx';
import { KindIcon } from '../content/index.ts';
import { NodeState } from './node-state.tsx';

const useStyles = makeStyles({
  icon: { verticalAlign: 'text-bottom', marginInlineEnd: tokens.spacingHorizontalXS },
  held: { verticalAlign: 'text-bottom', marginInlineStart: tokens.spacingHorizontalXS },
  // Longer than the column: the end is what tells two names apart.
  name: { overflowWrap: 'anywhere' },
});

function NodeName({ node }: { readonly node: ManagedNode }): ReactElement {
  const styles = useStyles();
  const text = useText();
  return (
    <span className={styles.name}>
      <KindIcon node={node} className={styles.icon} />
      {node.name}
      {node.isHeld && <LockClosedRegular role="img" className={styles.held} aria-label={text('status.onHold')} />}
    </span>
  );
}

/** What is known of a file or folder, in columns; also what tiles are sorted by. */
export function useFolderColumns(): readonly Column<ManagedNode>[] {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const audience = (row: ManagedNode): string => (row.audience === null ? '' : text(`compliance.audiences.${row.audience}`));
  return [
    {
      id: 'name',
      title: text('common.name'),
      sort: 'name',
      width: 300,
      value: (row) => row.name,
      render: (row) => <NodeName node={row} />,
    },
    {
      id: 'state',
      title: text('compliance.state'),
      width: 140,
      value: (row) => text(`compliance.states.${row.state}`),
      render: (row) => <NodeState state={row.state} />,
    },
    {
      id: 'audience',
      title: text('compliance.audience'),
      width: 190,
      value: audience,
      render: (row) =>
        row.audience === null ? (
          '–'
        ) : (
          <Badge appearance="tint" color="warning">
            {audience(row)}
          </Badge>
        ),
    },
    {
      id: 'kind',
      title: text('compliance.kind'),
      sort: 'kind',
      isExtra: true,
      value: (row) => codeText(row.kind),
      render: (row) => codeText(row.kind),
    },
    { id: 'author', title: text('compliance.author'), width: 160, value: (row) => row.author ?? '', render: (row) => row.author ?? '–' },
    {
      id: 'modifiedAt',
      title: text('compliance.modified'),
      sort: 'modifiedAt',
      width: 150,
      value: (row) => format.iso(row.modifiedAt),
      render: (row) => <Moment at={row.modifiedAt} />,
    },
    {
      id: 'versions',
      title: text('compliance.versions'),
      isNumber: true,
      width: 110,
      value: (row) => (row.isContainer ? null : row.versions),
      render: (row) => (row.isContainer ? '–' : format.count(row.versions)),
    },
    {
      id: 'sizeBytes',
      title: text('compliance.size'),
      sort: 'sizeBytes',
      isNumber: true,
      width: 110,
      value: (row) => (row.isContainer ? null : row.sizeBytes),
      render: (row) => <Size bytes={row.isContainer ? null : row.sizeBytes} />,
    },
  ];
}

/** What the files of a folder are narrowed to. */
export function useFolderFilters(): readonly Filter[] {
  const text = useText();
  return [
    {
      id: 'type',
      label: text('compliance.fileType'),
      choices: fileKinds.map((value) => ({ value, label: text(`compliance.fileKinds.${value}`) })),
    },
    {
      id: 'audience',
      label: text('compliance.audience'),
      choices: audiences.map((value) => ({ value, label: text(`compliance.audiences.${value}`) })),
    },
  ];
}
