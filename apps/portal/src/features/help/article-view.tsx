import { makeStyles, MessageBar, MessageBarBody, tokens, typographyStyles } from '@fluentui/react-components';
import type { Article, Block } from '@holdfast/phrases/manual';
import type { ReactElement } from 'react';
import { PictureView } from './picture-view.tsx';

const useStyles = makeStyles({
  article: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, breakInside: 'avoid' },
  title: { ...typographyStyles.subtitle1, margin: 0, scrollMarginTop: tokens.spacingVerticalXXXL },
  text: { ...typographyStyles.body1, margin: 0, maxWidth: '75ch' },
  list: { ...typographyStyles.body1, margin: 0, paddingInlineStart: tokens.spacingHorizontalXXL, maxWidth: '75ch' },
  item: { marginBlockEnd: tokens.spacingVerticalXS },
  scroll: { overflowX: 'auto' },
  table: { ...typographyStyles.body1, borderCollapse: 'collapse', width: '100%' },
  cell: {
    textAlign: 'start',
    verticalAlign: 'top',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    borderBottomWidth: tokens.strokeWidthThin,
    borderBottomStyle: 'solid',
    borderBottomColor: tokens.colorNeutralStroke2,
    overflowWrap: 'anywhere',
    minWidth: '16ch',
  },
});

/** One article of the manual. */
export function ArticleView({ id, article }: { readonly id: string; readonly article: Article }): ReactElement {
  const styles = useStyles();
  return (
    <article className={styles.article} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {article.title}
      </h2>
      {article.blocks.map((block) => (
        <BlockView key={keyOf(block)} block={block} title={article.title} />
      ))}
    </article>
  );
}

function keyOf(block: Block): string {
  if (block.kind === 'table') return `table ${block.head.join()}`;
  return `${block.kind} ${'text' in block ? block.text : block.items.join()}`;
}

function BlockView({ block, title }: { readonly block: Block; readonly title: string }): ReactElement {
  const styles = useStyles();
  switch (block.kind) {
    case 'text':
      return <p className={styles.text}>{block.text}</p>;
    case 'note':
      return (
        <MessageBar layout="multiline">
          <MessageBarBody>{block.text}</MessageBarBody>
        </MessageBar>
      );
    case 'steps':
    case 'list': {
      const List = block.kind === 'steps' ? 'ol' : 'ul';
      return (
        <List className={styles.list}>
          {block.items.map((item) => (
            <li key={item} className={styles.item}>
              {item}
            </li>
          ))}
        </List>
      );
    }
    case 'screenshot':
    case 'diagram':
      return <PictureView picture={block} />;
    case 'table':
      return <TableView head={block.head} rows={block.rows} title={title} />;
  }
}

function TableView({
  head,
  rows,
  title,
}: {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly title: string;
}): ReactElement {
  const styles = useStyles();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reached by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={title}>
      <table className={styles.table}>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" className={styles.cell}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]}>
              {row.map((value) => (
                <td key={value} className={styles.cell}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
