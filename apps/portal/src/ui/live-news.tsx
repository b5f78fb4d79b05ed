import { makeStyles } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { spokenOnly } from './theme.ts';

const useStyles = makeStyles({ root: spokenOnly });

export interface LiveNewsProps<Row> {
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** What is worth saying of a row that was seen before; null for what may pass in silence. */
  readonly news: (before: Row, now: Row) => string | null;
}

/** Says to who does not see the screen what has changed in rows that renew themselves, without interrupting. */
export function LiveNews<Row>({ rows, rowKey, news }: LiveNewsProps<Row>): ReactElement {
  const styles = useStyles();
  const known = useRef(new Map<string, Row>());
  const [said, setSaid] = useState('');
  useEffect(() => {
    const sentences = rows.flatMap((row) => {
      const before = known.current.get(rowKey(row));
      return before === undefined ? [] : (news(before, row) ?? []);
    });
    for (const row of rows) known.current.set(rowKey(row), row);
    if (sentences.length > 0) setSaid(sentences.join(' '));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only new rows bring news, not new words for them
  }, [rows]);
  return (
    <span role="status" className={styles.root}>
      {said}
    </span>
  );
}
